import { hash } from 'node:crypto';
import { AppError } from '../../runtime/errors.ts';

/**
 * Record versions that an `If-Match` header allows.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.1
 */
export type IfMatch = ReadonlySet<number> | 'any';

/**
 * An ETag of this service: the record version, then a hash of the body. A client that knows only the version may omit
 * the hash.
 */
const tagPattern = /^"(\d{1,15})(?:-[\w-]{8})?"$/;

/** Creates the ETag of a response that shows a record of this version. */
export const createEtag = (version: number, body: string): string =>
  `"${version}-${hash('sha256', body, 'base64url').slice(0, 8)}"`;

/** Hashes a content for its strong ETag: equal tags mean equal bytes. */
export const hashContent = (content: string | Uint8Array): string =>
  hash('sha256', content, 'base64url').slice(0, 22);

const parseList = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** Parses an `If-Match` header. Unknown and weak tags match no version, because a change needs an exact match. */
export const parseIfMatch = (header: string | undefined): IfMatch | undefined => {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const versions = parseList(header).flatMap((tag) => tag.match(tagPattern)?.[1] ?? []);
  return new Set(versions.map(Number));
};

/**
 * Returns whether an `If-None-Match` header contains the tag, weak or strong.
 * https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
export const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || parseList(header).some((tag) => tag.replace(/^W\//, '') === etag));

/**
 * Checks that `If-Match` allows the record's version.
 * @throws AppError PRECONDITION_FAILED
 */
export const assertVersion = (ifMatch: IfMatch | undefined, version: number): void => {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.has(version)) return;
  throw new AppError('PRECONDITION_FAILED', 'The resource was modified. Fetch it and try again.', {
    details: [{ field: 'if-match', message: 'must match the current ETag' }],
  });
};
