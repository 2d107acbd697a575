import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { covers, type Role, roleGrants, roles } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';

/** Roles are ordered from the highest rank to the lowest. */
const outranks = (a: Role, b: Role): boolean => roles.indexOf(a) < roles.indexOf(b);

const forbidden = (message: string) => new AppError('FORBIDDEN', message);

/**
 * Nobody changes or removes a user of a higher rank (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanManage = (actor: Actor, target: Pick<StoredUser, 'role'>): void => {
  if (outranks(target.role, actor.user.role)) {
    throw forbidden(`Only a ${target.role} can change a ${target.role}`);
  }
};

/**
 * A role is granted up to one's own rank (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanGrantRole = (actor: Actor, role: Role): void => {
  if (outranks(role, actor.user.role)) throw forbidden(`Only a ${role} can grant the role ${role}`);
  // A token with permissions of its own grants no others by way of a role.
  if (actor.isLimited) assertCanGrantPermissions(actor, roleGrants[role]);
};

/**
 * A single permission is granted only by whoever holds it (decisions.md#rights).
 * @throws AppError FORBIDDEN that names the first that is not held
 */
export const assertCanGrantPermissions = (actor: Actor, entries: readonly string[]): void => {
  const missing = entries.find((entry) => !covers(actor.permissions, entry));
  if (missing !== undefined) throw forbidden(`You can't grant ${missing}: you don't hold it`);
};

/**
 * An account belongs to whoever its e-mail address, or a link to its password, leads in. Only who could have granted all
 * that it may do decides on that, or the account could be taken over for its permissions.
 * @throws AppError FORBIDDEN
 */
export const assertCanGiveAccess = (
  actor: Actor,
  target: Pick<StoredUser, 'role' | 'extraPermissions'>,
): void => {
  assertCanGrantRole(actor, target.role);
  // What every new user gets is no reason to take an account over.
  const within = [...actor.permissions, ...getSetting('NEW_USER_PERMISSIONS')];
  const missing = target.extraPermissions.find((entry) => !covers(within, entry));
  if (missing !== undefined) throw forbidden(`This user holds ${missing}, which you don't`);
};

/** What is left of the entries beyond what the role implies anyway. */
export const getExtraPermissions = (role: Role, entries: readonly string[]): string[] =>
  [...new Set(entries)].filter((entry) => !covers(roleGrants[role], entry));

/** What the setting NEW_USER_PERMISSIONS grants a new user beyond the role, whoever makes the account (decisions.md#new-users). */
export const getNewUserPermissions = (role: Role): string[] =>
  getExtraPermissions(role, getSetting('NEW_USER_PERMISSIONS'));
