import { createHash, timingSafeEqual } from 'node:crypto';
import { userKeys } from '../../../shared/auth/keys.ts';
import { createRandomId, createRandomText } from '../../../shared/db/ids.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';

/** How long a code can be exchanged. */
const validMs = 60_000;

/** How long its use is remembered, so that a second one is noticed. */
const keptMs = 24 * 60 * 60_000;

/** An authorization code as stored, without keys. The code itself is not stored. */
export interface StoredCode {
  readonly userId: number;
  /** The hash of the client id. */
  readonly client: string;
  readonly redirectUri: string;
  /** The SHA-256 of the verifier that the exchange needs, in base64url. */
  readonly challenge: string;
  /** The user's `tokenEpoch` when it was created. */
  readonly epoch: number;
  /** That of its app. */
  readonly period: number;
  /** The id of the login that it gives. */
  readonly login: string;
  readonly expiresAt: string;
  readonly usedAt?: string;
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
}

/** Parses a stored code. */
export const parseStoredCode = itemParser<StoredCode>('authorization code', [
  'client',
  'challenge',
  'login',
]);

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');

const pattern = /^hbc_([0-9a-z]{1,11})_[\w-]{43}$/;

/** Returns the user whom a code names and the key by which it is stored; `undefined` if it has another form. */
export const parseCode = (
  code: string,
): { readonly userId: number; readonly key: Key } | undefined => {
  const [, user] = pattern.exec(code) ?? [];
  if (user === undefined) return undefined;
  const userId = Number.parseInt(user, 36);
  return { userId, key: userKeys.appCode.at({ userId, hash: hash(code) }) };
};

/** Creates a code with 256 random bits for a login that doesn't exist yet, with its key and its record. */
export const createCode = (
  of: Pick<StoredCode, 'userId' | 'client' | 'redirectUri' | 'challenge' | 'epoch' | 'period'>,
): { readonly code: string; readonly key: Key; readonly stored: StoredCode } => {
  const now = Date.now();
  const code = `hbc_${of.userId.toString(36)}_${createRandomText(32)}`;
  return {
    code,
    key: userKeys.appCode.at({ userId: of.userId, hash: hash(code) }),
    stored: {
      ...of,
      login: createRandomId(),
      expiresAt: new Date(now + validMs).toISOString(),
      ttl: Math.ceil((now + keptMs) / 1_000),
    },
  };
};

/** What a code challenge and its verifier look like. https://www.rfc-editor.org/rfc/rfc7636#section-4.1 */
const proofPattern = /^[\w.~-]{43,128}$/;

/** Returns whether a text has the form of a code challenge or verifier. */
export const isProof = (text: string): boolean => proofPattern.test(text);

/** Returns whether the verifier is that of the challenge, by S256, the only method that is accepted. */
export const isVerified = (verifier: string, challenge: string): boolean => {
  const [given, expected] = [Buffer.from(hash(verifier)), Buffer.from(challenge)];
  return given.length === expected.length && timingSafeEqual(given, expected);
};
