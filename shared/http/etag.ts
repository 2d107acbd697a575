import { hash } from 'node:crypto';
import { AppError } from '../runtime/errors.ts';

/** The versions of a record that a client has seen, one of which it must still have (RFC 9110 §13.1.1). */
export type IfMatch = ReadonlySet<number> | 'any';

/**
 * A tag as we make them: the record's version, then what else of the representation may change without it. A client
 * that knows the version only may leave the rest out.
 */
const tagPattern = /^"(\d{1,15})(?:-[\w-]{8})?"$/;

/** The entity tag of a representation of a record of this version. */
export const createEtag = (version: number, body: string): string =>
  `"${version}-${hash('sha256', body, 'base64url').slice(0, 8)}"`;

const parseList = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/**
 * The versions that an `If-Match` header allows. A tag that isn't one of ours is that of no version: also a weak one,
 * because a change must not rest on what is nearly the same.
 */
export const parseIfMatch = (header: string | undefined): IfMatch | undefined => {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'any';
  const versions = parseList(header).flatMap((tag) => tag.match(tagPattern)?.[1] ?? []);
  return new Set(versions.map(Number));
};

/** Does an `If-None-Match` header name this tag? Weak and strong count as the same there (RFC 9110 §13.1.2). */
export const matchesIfNoneMatch = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || parseList(header).some((tag) => tag.replace(/^W\//, '') === etag));

/**
 * Refuses a change of a record that is of another version than the client has seen.
 * @throws AppError PRECONDITION_FAILED
 */
export const assertVersion = (ifMatch: IfMatch | undefined, version: number): void => {
  if (ifMatch === undefined || ifMatch === 'any' || ifMatch.has(version)) return;
  throw new AppError('PRECONDITION_FAILED', 'The resource was modified. Fetch it and try again.', {
    details: [{ field: 'if-match', message: 'must match the current ETag' }],
  });
};
