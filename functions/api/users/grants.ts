import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import {
  can,
  covers,
  getEffectivePermissions,
  type Permission,
  type Role,
  roleGrants,
  roles,
} from '../../../shared/permissions/permissions.ts';
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
 * Asserts that the actor can let a user into the account by an emailed link. The actor must be able to grant all its
 * permissions, to prevent an account takeover from gaining any.
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

/** What it takes to read the records of others, which a transfer and another's account allow. */
const readingPermissions: readonly Permission[] = [
  'documents:manage',
  'files:manage',
  'calendar:manage',
  'shares:manage',
];

/**
 * Asserts that the actor can read the records of others. `purpose` completes "Missing permission for …".
 * @throws AppError FORBIDDEN that names the first missing permission
 */
export const assertCanReadAll = ({ permissions }: Actor, purpose: string): void => {
  const missing = readingPermissions.find((permission) => !can(permissions, permission));
  if (missing) throw forbidden(`Missing permission for ${purpose}: ${missing}.`);
};

/**
 * Asserts that the actor can do what would let the actor into a user's account: setting its email address, or getting a link
 * for its password. The actor must rank as high, be able to do and read all that the user can, and could not have removed a
 * permission before to get there (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanEnter = (
  actor: Actor,
  target: Pick<StoredUser, 'role' | 'extraPermissions' | 'removedPermissions'>,
): void => {
  assertCanManage(actor, target);
  const held = getEffectivePermissions(target.role, target.extraPermissions);
  const missing = held.find((entry) => !covers(actor.permissions, entry));
  if (missing !== undefined) throw forbidden(`You don’t have this user’s permission ${missing}.`);
  const lacked = listRemoved(target).find((entry) => !covers(actor.permissions, entry));
  if (lacked !== undefined) {
    throw forbidden(
      `This user lost the permission ${lacked} less than 24 hours ago, and you don’t have it.`,
    );
  }
  assertCanReadAll(actor, 'access to another user’s account');
};

/** How long a removed permission counts as if the user still had it. */
const removedMs = 24 * 60 * 60_000;

/** Returns the permissions that were lately removed, by anyone: an accomplice can be created. */
const listRemoved = ({ removedPermissions }: Pick<StoredUser, 'removedPermissions'>) =>
  removedPermissions && Date.parse(removedPermissions.at) + removedMs > Date.now()
    ? removedPermissions.permissions
    : [];

/** Returns the field that remembers which permissions a change of a user removes; nothing if it removes none. */
export const rememberRemoved = (
  before: Pick<StoredUser, 'role' | 'extraPermissions' | 'removedPermissions'>,
  after: Pick<StoredUser, 'role' | 'extraPermissions'>,
): Pick<StoredUser, 'removedPermissions'> => {
  const left = getEffectivePermissions(after.role, after.extraPermissions);
  const lost = getEffectivePermissions(before.role, before.extraPermissions).filter(
    (entry) => !covers(left, entry),
  );
  if (lost.length === 0) return {};
  const permissions = [...new Set([...listRemoved(before), ...lost])];
  return { removedPermissions: { at: new Date().toISOString(), permissions } };
};

/** Returns the entries that the role doesn't grant. */
export const getExtraPermissions = (role: Role, entries: readonly string[]): string[] =>
  [...new Set(entries)].filter((entry) => !covers(roleGrants[role], entry));

/** Returns what the setting NEW_USER_PERMISSIONS grants a new user beyond the role (decisions.md#new-users). */
export const getNewUserPermissions = (role: Role): string[] =>
  getExtraPermissions(role, getSetting('NEW_USER_PERMISSIONS'));
