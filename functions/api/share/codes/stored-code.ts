// Codes that prove who a recipient is (decisions.md#recipients-by-email).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { findSigningKey, getCurrentKey } from '../../../../shared/runtime/signing-keys.ts';
import { shareKeys } from '../record/keys.ts';

/** How long a code is valid, in ms. */
export const codeLifetimeMs = 10 * 60_000;
/** How often a code can be tried, whoever tries. */
export const maxTries = 5;

/** What is stored of a code, which only its email has. */
export interface HashedCode {
  /** Identifies it. */
  readonly id: string;
  readonly hash: string;
  /** Identifies the key of the hash. */
  readonly kid: string;
}

/** The newest code of a recipient link. Times are in ms since 1970. */
export interface StoredCode extends HashedCode {
  /** The `proofId` of its link: what it proves. */
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
export const parseCode = itemParser<StoredCode>('link code', [
  'id',
  'hash',
  'kid',
  'proofId',
  'sentAt',
  'tries',
  'former',
  'recent',
]);

/** Finds the newest code of a link. Strongly consistent. */
export const loadCode = async (linkId: string): Promise<StoredCode | undefined> => {
  const [item] = await batchGet([shareKeys.linkCode.at({ linkId })]);
  return item && parseCode(item);
};

/** Whether a code is still valid at a time (ms since 1970), apart from its tries. */
export const isCurrent = ({ sentAt }: Pick<StoredCode, 'sentAt'>, now: number): boolean =>
  now < sentAt + codeLifetimeMs;

// Keyed, because six digits are found by trying all.
const hash = (secret: string, id: string, code: string): string =>
  createHmac('sha256', secret).update(`link code\n${id}\n${code}`).digest('base64url');

/** Hashes a code with the current key. */
export const hashCode = async (id: string, code: string): Promise<HashedCode> => {
  const { secret, kid } = await getCurrentKey();
  return { id, hash: hash(secret, id, code), kid };
};

/** Whether a text is this code, compared in constant time. */
export const isCode = async (stored: HashedCode, code: string): Promise<boolean> => {
  const key = await findSigningKey(stored.kid);
  if (!key) return false;
  return timingSafeEqual(Buffer.from(hash(key.secret, stored.id, code)), Buffer.from(stored.hash));
};
