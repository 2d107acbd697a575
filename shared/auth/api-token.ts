import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The parts of an API token. */
export interface ParsedApiToken {
  readonly userId: number;
  /** SHA-256 of the token. The token itself is not stored. */
  readonly hash: string;
}

const pattern = /^(hb_([0-9a-z]{1,11})_[0-9a-f]{48})([0-9a-f]{8})$/;

const checksum = (text: string): string => crc32(text).toString(16).padStart(8, '0');

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/**
 * Creates a token such as `hb_<user>_<secret><checksum>` with 192 random bits. The checksum rejects typos and similar
 * strings without a read.
 */
export const createApiToken = (
  userId: number,
): { readonly token: string; readonly hash: string } => {
  const text = `hb_${userId.toString(36)}_${randomBytes(24).toString('hex')}`;
  const token = `${text}${checksum(text)}`;
  return { token, hash: hashToken(token) };
};

/** Returns whether the text has the prefix of an API token. */
export const isApiToken = (text: string): boolean => text.startsWith('hb_');

/** Parses a token, or returns `undefined` if its format or checksum is invalid. */
export const parseApiToken = (token: string): ParsedApiToken | undefined => {
  const [, text = '', user = '', sum] = token.match(pattern) ?? [];
  if (sum === undefined || sum !== checksum(text)) return undefined;
  return { userId: Number.parseInt(user, 36), hash: hashToken(token) };
};
