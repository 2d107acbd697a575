import type { Actor } from '../auth/actor.ts';
import { can, type Permission } from '../permissions/permissions.ts';
import { missingPermission } from '../runtime/errors.ts';

/**
 * Asserts that the actor has the permissions of what an export takes out, beside its own.
 * @throws AppError FORBIDDEN that names the first missing one
 */
export const assertMayView = ({ permissions }: Actor, ...wanted: readonly Permission[]): void => {
  const missing = wanted.find((permission) => !can(permissions, permission));
  if (missing !== undefined) throw missingPermission(missing);
};
