import bcrypt from 'bcryptjs';
import * as z from 'zod';
import { getSetting } from '../runtime/settings.ts';

/** bcrypt looks at 72 bytes and no further. */
const maxBytes = 72;

/** A password: 6 characters to 72 bytes of UTF-8, kept as typed (decisions.md#passwords). */
export const Password = z
  .string()
  .min(6, 'must be at least 6 characters')
  .refine(
    (text) => Buffer.byteLength(text) <= maxBytes,
    `must be at most ${maxBytes} bytes (UTF-8)`,
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
    { path: ['confirmPassword'], message: 'must equal password' },
  );

let last: Promise<unknown> = Promise.resolve();

/** bcryptjs holds the event loop for 100 ms at a time: several at once would hold it for as many times that. */
const runInTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
};

/** Hashes with bcrypt at the cost of the setting PASSWORD_COST. */
export const hashPassword = (password: string): Promise<string> =>
  runInTurn(() => bcrypt.hash(password, getSetting('PASSWORD_COST')));

/** A well-formed hash of no known password; making it computes nothing, which the first caller could notice. */
const dummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

/** Was the hash made at another cost than PASSWORD_COST, which has been changed since? */
export const isOutdated = (hash: string | undefined): boolean =>
  hash !== undefined && bcrypt.getRounds(hash) !== getSetting('PASSWORD_COST');

const compare = async (password: string, hash: string | undefined): Promise<boolean> => {
  const cost = getSetting('PASSWORD_COST');
  const compared = hash ?? dummyHash(cost);
  const matches = await bcrypt.compare(password, compared);
  // Each cost doubles the time: 2^c, once more 2^c, and 2^(c+1) up to 2^(cost-1) add up to 2^cost.
  for (let more = bcrypt.getRounds(compared); more < cost; more++) {
    await bcrypt.compare(password, dummyHash(more));
  }
  return matches && hash !== undefined;
};

/**
 * Is this the password? Without a stored hash, or with one of a lower cost than PASSWORD_COST, it takes the same time,
 * so that the time doesn't tell which accounts exist. One of a higher cost takes longer.
 */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (Buffer.byteLength(password) > maxBytes) return false;
  return runInTurn(() => compare(password, hash));
};
