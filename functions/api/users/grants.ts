import type { Actor } from '../../../shared/auth/actor.ts';
import { readRolesFor } from '../../../shared/auth/custom-roles.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { can, covers, type Permission, roles } from '../../../shared/permissions/permissions.ts';
import {
  type CustomRoles,
  getEffectivePermissions,
  getRoleGrants,
  isBuiltIn,
  type RemovedPermissions,
  reaches,
} from '../../../shared/permissions/roles.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';

const forbidden = (message: string) => new AppError('FORBIDDEN', message);

/** Returns the custom roles for a decision about these roles. Takes no round trip if all are built in, or they were read before. */
export const readRolesFrom = async (
  actor: Actor,
  ...names: readonly string[]
): Promise<CustomRoles> => actor.roles ?? readRolesFor([actor.user.role, ...names]);

/**
 * Asserts that a role exists.
 * @throws AppError VALIDATION_ERROR about `role` that lists the roles
 */
export const assertRoleExists = (name: string, custom: CustomRoles): void => {
  if (isBuiltIn(name) || custom?.has(name)) return;
  const all = [...roles, ...(custom?.keys() ?? [])];
  throw invalidField('role', `must be one of ${all.join(', ')}`);
};

/**
 * Asserts that the actor can update or delete a user: it must not have a higher rank (decisions.md#rights).
 * @throws AppError FORBIDDEN
 */
export const assertCanManage = (
  actor: Actor,
  target: Pick<StoredUser, 'role'>,
  custom: CustomRoles,
): void => {
  const { role } = target;
  if (reaches(actor.user.role, role, custom)) return;
  throw forbidden(
    isBuiltIn(role)
      ? `Only ${role} users can modify ${role} users.`
      : `You can’t modify ${role} users: their role ranks above yours.`,
  );
};

/**
 * Asserts that the actor can grant a role: it must not rank above the actor's own. A custom role, and any role that the holder of
 * one grants, must grant nothing that the actor lacks (decisions.md#custom-roles).
 * @throws AppError FORBIDDEN
 */
export const assertCanGrantRole = (actor: Actor, role: string, custom: CustomRoles): void => {
  if (!reaches(actor.user.role, role, custom)) {
    throw forbidden(
      isBuiltIn(role)
        ? `Only ${role} users can grant the role ${role}.`
        : `You can’t grant the role ${role}: it ranks above yours.`,
    );
  }
  // A token with limited permissions must not exceed them by granting a role.
  if (actor.isLimited || !isBuiltIn(actor.user.role) || !isBuiltIn(role)) {
    assertCanGrantPermissions(actor, getRoleGrants(role, custom));
  }
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
  custom: CustomRoles,
): void => {
  assertCanGrantRole(actor, target.role, custom);
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
  custom: CustomRoles,
): void => {
  assertCanManage(actor, target, custom);
  const held = getEffectivePermissions(target, custom);
  const missing = held.find((entry) => !covers(actor.permissions, entry));
  if (missing !== undefined) throw forbidden(`You don’t have this user’s permission ${missing}.`);
  const lacked = listRemoved(target, custom).find((entry) => !covers(actor.permissions, entry));
  if (lacked !== undefined) {
    throw forbidden(
      `This user lost the permission ${lacked} less than 24 hours ago, and you don’t have it.`,
    );
  }
  assertCanReadAll(actor, 'access to another user’s account');
};

/** How long a removed permission counts as if the user still had it. */
const removedMs = 24 * 60 * 60_000;

/** Returns those that were removed lately, by anyone: an accomplice can be created. */
export const listRecent = (removed: RemovedPermissions | undefined): readonly string[] =>
  removed && Date.parse(removed.at) + removedMs > Date.now() ? removed.permissions : [];

/** Returns the permissions that were lately removed from a user, or from the user's role. */
const listRemoved = (
  { role, removedPermissions }: Pick<StoredUser, 'role' | 'removedPermissions'>,
  custom: CustomRoles,
): readonly string[] => [
  ...listRecent(removedPermissions),
  ...listRecent(custom?.get(role)?.removedPermissions),
];

/** Returns the field that remembers which permissions a change of a user removes; nothing if it removes none. */
export const rememberRemoved = (
  before: Pick<StoredUser, 'role' | 'extraPermissions' | 'removedPermissions'>,
  after: Pick<StoredUser, 'role' | 'extraPermissions'>,
  custom: CustomRoles,
): Pick<StoredUser, 'removedPermissions'> => {
  const left = getEffectivePermissions(after, custom);
  // What the former role lost lately would be forgotten with it.
  const ofRole =
    before.role === after.role ? [] : listRecent(custom?.get(before.role)?.removedPermissions);
  const lost = [...getEffectivePermissions(before, custom), ...ofRole].filter(
    (entry) => !covers(left, entry),
  );
  if (lost.length === 0) return {};
  const permissions = [...new Set([...listRecent(before.removedPermissions), ...lost])];
  return { removedPermissions: { at: new Date().toISOString(), permissions } };
};

/** Returns the entries that the role doesn't grant. */
export const getExtraPermissions = (
  role: string,
  entries: readonly string[],
  custom: CustomRoles,
): string[] => [...new Set(entries)].filter((entry) => !covers(getRoleGrants(role, custom), entry));

/** Returns what the setting NEW_USER_PERMISSIONS grants a new user beyond the role (decisions.md#new-users). */
export const getNewUserPermissions = (role: string, custom: CustomRoles): string[] =>
  getExtraPermissions(role, getSetting('NEW_USER_PERMISSIONS'), custom);
