import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { readCustomRoles, readRolesFor } from '../../../../shared/auth/custom-roles.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { isBuiltIn } from '../../../../shared/permissions/roles.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { getExtraPermissions, rememberRemoved } from '../../users/grants.ts';
import * as users from '../../users/record/users.ts';
import type { Identity } from './identity.ts';

/**
 * Returns the role that the setting ROLE_CLAIM gives for what the provider says, `undefined` if it gives none. A role that doesn't
 * exist counts as no value.
 */
export const findClaimedRole = async ({
  provider,
  roleValues,
}: Identity): Promise<string | undefined> => {
  const setting = getSetting('ROLE_CLAIM');
  if (!setting || roleValues === undefined || provider.isMultiTenant) return undefined;
  const names = [
    ...setting.roles.filter(({ value }) => roleValues.includes(value)).map(({ role }) => role),
    setting.otherwise,
  ];
  const custom = await readRolesFor(names);
  return names.find((name) => isBuiltIn(name) || custom?.has(name)) ?? 'user';
};

/**
 * Gives a user the role that the provider's claim asks for, before a session is made, and returns the user as it is then. The last
 * active super_admin keeps the role. It has the effect and the audit entry of an administrator's change. Returns `undefined` if the
 * role was deleted concurrently.
 */
export const applyClaimedRole = async (
  user: StoredUser,
  identity: Identity,
  recorder: ChangeRecorder,
): Promise<StoredUser | undefined> => {
  const role = await findClaimedRole(identity);
  if (role === undefined || role === user.role) return user;
  const edit = async (current: StoredUser): Promise<users.UserEdit> => {
    const custom = await readCustomRoles();
    const extraPermissions = getExtraPermissions(role, current.extraPermissions, custom);
    return {
      role,
      extraPermissions,
      ...rememberRemoved(current, { role, extraPermissions }, custom),
    };
  };
  try {
    const change = await users.update(user.id, edit, recorder, undefined, {
      action: 'user.update',
      actor: user,
      after: { by: identity.provider.name },
    });
    return change.user;
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFLICT') return user;
    if (error instanceof AppError && error.code === 'VALIDATION_ERROR') return undefined;
    throw error;
  }
};
