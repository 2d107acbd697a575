import bcrypt from 'bcryptjs';
import * as z from 'zod';
import { setting } from './settings.ts';

/** bcrypt looks at 72 bytes and no further. */
const maxBytes = 72;

/** A password: 6 characters to 72 bytes of UTF-8, kept as typed (decisions §3). */
export const Password = z
  .string()
  .min(6, 'must have at least 6 characters')
  .refine(
    (text) => Buffer.byteLength(text) <= maxBytes,
    `must have at most ${maxBytes} bytes of UTF-8`,
  );

interface NewPassword {
  readonly password: string;
  readonly confirmPassword?: string | null;
}

/** An object with a new `password`; where `confirmPassword` is sent, it must be the same. */
export const withNewPassword = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ ...shape, password: Password, confirmPassword: z.string().nullish() }).refine(
    (value) => {
      const { password, confirmPassword } = value as unknown as NewPassword;
      return confirmPassword == null || password === confirmPassword;
    },
    { path: ['confirmPassword'], message: 'must be the same as password' },
  );

/** Hashes with bcrypt at the cost of the setting PASSWORD_COST. */
export const hashPassword = (password: string): Promise<string> =>
  bcrypt.hash(password, setting('PASSWORD_COST'));

const dummies = new Map<number, Promise<string>>();

const dummyHash = (): Promise<string> => {
  const cost = setting('PASSWORD_COST');
  const known = dummies.get(cost) ?? bcrypt.hash('no password is this one', cost);
  dummies.set(cost, known);
  return known;
};

/**
 * Is this the password? Without a stored hash it takes the same time and says no,
 * so that the time doesn't tell which accounts exist.
 */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (Buffer.byteLength(password) > maxBytes) return false;
  const matches = await bcrypt.compare(password, hash ?? (await dummyHash()));
  return matches && hash !== undefined;
};
