import { randomBytes } from 'node:crypto';
import * as users from '../../functions/api/users/record/users.ts';
import { NewPassword } from '../../shared/auth/new-password.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';
import { StartError } from './aws/host/start-error.ts';

/** The first super_admin, with its password if that was generated. */
export interface FirstAdmin {
  readonly email: string;
  readonly isNew: boolean;
  readonly password?: string;
}

/**
 * Creates the first super_admin, unless the account exists.
 * @throws StartError for a password that is one of the best-known ones
 */
export const ensureFirstAdmin = async (
  email: string,
  password: string | undefined,
): Promise<FirstAdmin> => {
  if (await users.findByEmail(email)) return { email, isNew: false };
  if (password !== undefined && !(await NewPassword.safeParseAsync(password)).success) {
    throw new StartError(
      'Set ADMIN_PASSWORD to a password that is not one of the 10,000 best-known ones.',
    );
  }
  const chosen = password ?? randomBytes(9).toString('base64url');
  const isNew = await users.ensureSuperAdmin({
    email,
    name: 'Administrator',
    passwordHash: await hashPassword(chosen),
  });
  return { email, isNew, ...(isNew && password === undefined && { password: chosen }) };
};
