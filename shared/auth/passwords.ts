import bcrypt from 'bcryptjs';
import * as z from 'zod';
import { getSetting } from '../runtime/settings.ts';

/** bcrypt ignores everything after 72 bytes. */
const maxBytes = 72;

/** A password: 6 characters to 72 bytes (UTF-8), stored as typed (decisions.md#passwords). */
export const Password = z
  .string()
  .min(6, 'must be at least 6 characters')
  .refine(
    (text) => Buffer.byteLength(text) <= maxBytes,
    `must be at most ${maxBytes} bytes (UTF-8)`,
  );

let last: Promise<unknown> = Promise.resolve();

/** Runs hashes one after another: bcryptjs blocks the event loop for 100 ms at a time, and several would add up. */
const runInTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
};

/** Hashes with bcrypt at the cost PASSWORD_COST. */
export const hashPassword = (password: string): Promise<string> =>
  runInTurn(() => bcrypt.hash(password, getSetting('PASSWORD_COST')));

/** Returns a well-formed hash of no known password, without computing one: the first caller could notice the time. */
const dummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

/** Returns whether the hash has another cost than PASSWORD_COST. */
export const isOutdated = (hash: string | undefined): boolean =>
  hash !== undefined && bcrypt.getRounds(hash) !== getSetting('PASSWORD_COST');

const compare = async (password: string, hash: string | undefined): Promise<boolean> => {
  const cost = getSetting('PASSWORD_COST');
  const compared = hash ?? dummyHash(cost);
  const matches = await bcrypt.compare(password, compared);
  // Each cost doubles the time: 2^c + 2^c + 2^(c+1) + … + 2^(cost-1) = 2^cost.
  for (let more = bcrypt.getRounds(compared); more < cost; more++) {
    await bcrypt.compare(password, dummyHash(more));
  }
  return matches && hash !== undefined;
};

/**
 * Returns whether the password is correct. Takes the same time without a stored hash or with one of a lower cost, so
 * that the time does not reveal which accounts exist. A higher cost takes longer.
 */
export const isPassword = async (password: string, hash: string | undefined): Promise<boolean> => {
  if (Buffer.byteLength(password) > maxBytes) return false;
  return runInTurn(() => compare(password, hash));
};
