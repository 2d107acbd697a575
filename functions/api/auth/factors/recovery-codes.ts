import { randomBytes, randomInt, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import type { StoredCodes } from './stored-factors.ts';

/** How many codes a user gets. */
export const codeCount = 10;

/** Crockford's Base32, lower case: no letters that look like digits. https://www.crockford.com/base32.html */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const length = 8;

/** The scrypt parameter N: about 50 ms on one vCPU and 16 MB of memory. 40 random bits alone could be found by trying all. */
const cost = 2 ** 14;

const derive = promisify<string, string, number, { N: number }, Buffer>(scrypt);

const hashCode = async (code: string, salt: string): Promise<string> =>
  (await derive(code, salt, 32, { N: cost })).toString('base64url');

const createCode = (): string =>
  Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');

/** Returns a code as it is shown: `xxxx-xxxx`. */
const toShown = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Returns a typed code without spaces and dashes, in lower case, with the digits that letters were mistaken for. */
const normalize = (typed: string): string =>
  typed.toLowerCase().replace(/[\s-]/g, '').replace(/[il]/g, '1').replace(/o/g, '0');

/** Returns whether a text can be a recovery code, in any notation. */
export const isRecoveryCode = (typed: string): boolean => {
  const code = normalize(typed);
  return code.length === length && [...code].every((character) => alphabet.includes(character));
};

/** Creates recovery codes: those to show once, and what is stored of them. */
export const createCodes = async (
  now: string,
): Promise<{ readonly shown: string[]; readonly stored: StoredCodes }> => {
  const codes = new Set<string>();
  while (codes.size < codeCount) codes.add(createCode());
  const salt = randomBytes(16).toString('base64url');
  const hashes = await Promise.all([...codes].map((code) => hashCode(code, salt)));
  return {
    shown: [...codes].map(toShown),
    stored: {
      createdAt: now,
      salt,
      unused: Object.fromEntries(hashes.map((hash) => [hash, true as const])),
    },
  };
};

/** Returns the hash of the stored code that a typed one is; `undefined` for none. */
export const findCode = async (
  typed: string,
  { salt, unused }: StoredCodes,
): Promise<string | undefined> => {
  const hash = await hashCode(normalize(typed), salt);
  return unused[hash] === true ? hash : undefined;
};
