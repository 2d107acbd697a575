import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { covers, type Role, roleGrants, roles } from '../../../shared/permissions/permissions.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';

/** Returns whether role `a` ranks above `b`. `roles` has the highest rank first. */
const outranks = (a: Role, b: Role): boolean => roles.indexOf(a) < roles.indexOf(b);

const forbidden = (message: string) => new AppError('FORBIDDEN', message);

/**
 * Asserts that the actor can update or delete a user: it must not have a higher rank (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanManage = (actor: Actor, target: Pick<StoredUser, 'role'>): void => {
  if (outranks(target.role, actor.user.role)) {
    throw forbidden(`Only ${target.role} users can modify ${target.role} users.`);
  }
};

/**
 * Asserts that the actor can grant a role: it must not rank above the actor's own (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanGrantRole = (actor: Actor, role: Role): void => {
  if (outranks(role, actor.user.role)) {
    throw forbidden(`Only ${role} users can grant the role ${role}.`);
  }
  // A token with limited permissions must not exceed them by granting a role.
  if (actor.isLimited) assertCanGrantPermissions(actor, roleGrants[role]);
};

/**
 * Asserts that the actor has the permissions to grant (decisions.md#rights).
 * @throws AppError FORBIDDEN that names the first missing one
 */
export const assertCanGrantPermissions = (actor: Actor, entries: readonly string[]): void => {
  const missing = entries.find((entry) => !covers(actor.permissions, entry));
  if (missing !== undefined)
    throw forbidden(`You can’t grant ${missing} because you don’t have it.`);
};

/**
 * Asserts that the actor can decide who gets access to an account, by its email address or a password link. The actor must
 * be able to grant all its permissions, to prevent an account takeover from gaining any.
 * @throws AppError FORBIDDEN
 */
export const assertCanGiveAccess = (
  actor: Actor,
  target: Pick<StoredUser, 'role' | 'extraPermissions'>,
): void => {
  assertCanGrantRole(actor, target.role);
  // Permissions of every new user make no account worth taking over.
  const granted = [...actor.permissions, ...getSetting('NEW_USER_PERMISSIONS')];
  const missing = target.extraPermissions.find((entry) => !covers(granted, entry));
  if (missing !== undefined) throw forbidden(`You don’t have this user’s permission ${missing}.`);
};

/** Returns the entries that the role doesn't grant. */
export const getExtraPermissions = (role: Role, entries: readonly string[]): string[] =>
  [...new Set(entries)].filter((entry) => !covers(roleGrants[role], entry));

/** Returns what the setting NEW_USER_PERMISSIONS grants a new user beyond the role (decisions.md#new-users). */
export const getNewUserPermissions = (role: Role): string[] =>
  getExtraPermissions(role, getSetting('NEW_USER_PERMISSIONS'));
