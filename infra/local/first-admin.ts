import { randomBytes } from 'node:crypto';
import * as users from '../../functions/api/users/record/users.ts';
import { hashPassword } from '../../shared/auth/passwords.ts';

/** The first super_admin; `password` only when it was made up now. */
export interface FirstAdmin {
  readonly email: string;
  readonly isNew: boolean;
  readonly password?: string;
}

/** Makes the first super_admin unless the account is there. An existing account is left as it is. */
export const ensureFirstAdmin = async (
  email: string,
  password: string | undefined,
): Promise<FirstAdmin> => {
  if (await users.findByEmail(email)) return { email, isNew: false };
  const chosen = password ?? randomBytes(9).toString('base64url');
  const isNew = await users.ensureSuperAdmin({
    email,
    name: 'Administrator',
    passwordHash: await hashPassword(chosen),
  });
  return { email, isNew, ...(isNew && password === undefined && { password: chosen }) };
};
