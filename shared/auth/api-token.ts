import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** An API token's parts: whose it is, and what it is found by. */
export interface ParsedApiToken {
  readonly userId: number;
  /** SHA-256 of the token; the token itself is stored nowhere. */
  readonly hash: string;
}

const pattern = /^(hb_([0-9a-z]{1,11})_[0-9a-f]{48})([0-9a-f]{8})$/;

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * A new token such as `hb_<user>_<secret><checksum>`: 192 random bits, and a checksum by which a typo, or what a scanner
 * for secrets takes for a token, is known without a read.
 */
export const createApiToken = (
  userId: number,
): { readonly token: string; readonly hash: string } => {
  const text = `hb_${userId.toString(36)}_${randomBytes(24).toString('hex')}`;
  const token = `${text}${checksum(text)}`;
  return { token, hash: hashToken(token) };
};

/** Is it meant to be an API token? */
export const isApiToken = (text: string): boolean => text.startsWith('hb_');

/** The parts of a token; `undefined` when it was not made here, or mistyped. */
export const parseApiToken = (token: string): ParsedApiToken | undefined => {
  const [, text = '', user = '', sum] = token.match(pattern) ?? [];
  if (sum === undefined || sum !== checksum(text)) return undefined;
  return { userId: Number.parseInt(user, 36), hash: hashToken(token) };
};
