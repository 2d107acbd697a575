// Codes that are emailed, and prove who reads those emails (decisions.md#recipients-by-email).
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import { batchGet } from '../../db/dynamodb.ts';
import { createRandomText } from '../../db/ids.ts';
import { itemParser } from '../../db/item-parser.ts';
import type { Key } from '../../db/key.ts';
import { findSigningKey, getCurrentKey } from '../../runtime/signing-keys.ts';

/** How long a code is valid, in ms. */
export const codeLifetimeMs = 10 * 60_000;
/** How often a code can be tried, whoever tries. */
export const maxTries = 5;

/** Where the codes for one thing are kept, one at a time. */
export interface CodePlace {
  readonly key: Key;
  /** What codes are for, so that the hash of one is none of another. */
  readonly purpose: 'link code' | 'sign-in code';
  /** Identifies what a code proves. Codes for another one prove nothing, but count. */
  readonly proofId: string;
}

/** A code as its email has it. */
export interface NewCode {
  /** Identifies it. */
  readonly id: string;
  /** Six digits. */
  readonly code: string;
}

/** What is stored of a code, which only its email has. */
export interface HashedCode {
  /** Identifies it. */
  readonly id: string;
  readonly hash: string;
  /** Identifies the key of the hash. */
  readonly kid: string;
}

/** The newest code of a place. Times are in ms since 1970. */
export interface StoredCode extends HashedCode {
  /** What it proves. */
  readonly proofId: string;
  readonly sentAt: number;
  readonly tries: number;
  /** When it was entered. */
  readonly usedAt?: number;
  /** Codes before it, by which readers are told that theirs isn't the newest. */
  readonly former: readonly HashedCode[];
  /** When codes were sent in the last day, and the networks that asked for them. */
  readonly recent: readonly { readonly at: number; readonly network: string }[];
}

/** Parses the item of a code. */
export const parseCode = itemParser<StoredCode>('emailed code', [
  'id',
  'hash',
  'kid',
  'proofId',
  'sentAt',
  'tries',
  'former',
  'recent',
]);

/** Finds the newest code at a key. Strongly consistent. */
export const loadCode = async (key: Key): Promise<StoredCode | undefined> => {
  const [item] = await batchGet([key]);
  return item && parseCode(item);
};

/** Whether a code is still valid at a time (ms since 1970), apart from its tries. */
export const isCurrent = ({ sentAt }: Pick<StoredCode, 'sentAt'>, now: number): boolean =>
  now < sentAt + codeLifetimeMs;

/** Creates a code, which isn't stored yet. */
export const createCode = (): NewCode => ({
  id: createRandomText(9),
  code: String(randomInt(1_000_000)).padStart(6, '0'),
});

type Purpose = Pick<CodePlace, 'purpose'>;

// Keyed, because six digits are found by trying all.
const hash = ({ purpose }: Purpose, secret: string, { id, code }: NewCode): string =>
  createHmac('sha256', secret).update(`${purpose}\n${id}\n${code}`).digest('base64url');

/** Hashes a code with the current key. */
export const hashCode = async (place: Purpose, code: NewCode): Promise<HashedCode> => {
  const { secret, kid } = await getCurrentKey();
  return { id: code.id, hash: hash(place, secret, code), kid };
};

/** Whether a text is this code, compared in constant time. */
export const isCode = async (
  place: Purpose,
  { id, hash: stored, kid }: HashedCode,
  code: string,
): Promise<boolean> => {
  const key = await findSigningKey(kid);
  if (!key) return false;
  return timingSafeEqual(Buffer.from(hash(place, key.secret, { id, code })), Buffer.from(stored));
};
