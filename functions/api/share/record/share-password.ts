import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** The scrypt parameter N: about 50 ms on one vCPU and 16 MB of memory (decisions.md#passwords). */
const cost = 2 ** 14;
const keyLength = 32;
/** Letters and digits that are easy to tell apart. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzACDEFGHJKLMNPQRTUVWXYZ2346789';

const derive = promisify<string, Buffer, number, { N: number }, Buffer>(scrypt);

/** The password of a share or a request as stored. */
export interface StoredPassword {
  /** Changes with every new password. */
  readonly id: string;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
  readonly cost: number;
}

/** Generates six random characters with a CSPRNG. */
export const generatePassword = (): string =>
  Array.from({ length: 6 }, () => alphabet[randomInt(alphabet.length)]).join('');

export const hashPassword = async (password: string): Promise<StoredPassword> => {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, keyLength, { N: cost });
  return { id: randomBytes(6).toString('base64url'), salt, hash, cost };
};

export const isPassword = async (password: string, stored: StoredPassword): Promise<boolean> => {
  const derived = await derive(password, Buffer.from(stored.salt), keyLength, { N: stored.cost });
  return timingSafeEqual(derived, stored.hash);
};
