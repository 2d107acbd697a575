import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { inDirection, type ListKey, type ListQuery, queryItems, toStartKey } from '../db/query.ts';
import { invalidField } from '../runtime/errors.ts';
import { findSigningKey, getCurrentKey } from '../runtime/signing-keys.ts';
import type { Sort } from './sort.ts';

const defaultSize = 10;
const maxSize = 100;
/** Deepest item reachable by page number; a cursor continues beyond it (decisions.md#lists). */
const maxDepth = 10_000;

/** Has room for two keys with a name in which JSON escapes every character. */
const maxCursor = 4_096;

const foreignCursor = 'must be a nextCursor from this list';

const wholeNumber = z.coerce
  .number('must be a positive integer')
  .int('must be a positive integer')
  .min(1, 'must be a positive integer');

/** A page of a list with the total. */
export interface ListResult<Item> extends Page<Item> {
  readonly total: number;
  /** Whether `total` is exact; false if there are more than were counted. */
  readonly totalIsExact: boolean;
}

/** Maximum number of matches of a filter that are counted (decisions.md#lists). */
export const maxCountedMatches = 1_000;

/** Query parameters of every list. A `pageSize` above 100 becomes 100. */
export const pageQuery = {
  page: wholeNumber.optional(),
  pageSize: wholeNumber.optional(),
  limit: wholeNumber.optional(),
  cursor: z.string().max(maxCursor, foreignCursor).optional(),
};

export interface PageRequest {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly sort?: Sort | undefined;
  /** The size of a page that no client asks for, which may be larger than theirs. */
  readonly size?: number | undefined;
}

/** A page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly items: Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

/** Part of a list. `stoppedAt` is the last examined key, if reading stopped before the part was full. */
export interface Slice {
  readonly items: readonly ListKey[];
  readonly stoppedAt?: ListKey | undefined;
}

/** Reads up to `count` items of a list after a key, or from its start; reversed if requested. */
export type Source = (
  count: number,
  from: ListKey | undefined,
  isReversed: boolean,
) => Promise<Slice>;

/** Whether a page costs what it shows: others read what they skip. */
export const skipsNothing = ({ page = 1, cursor }: PageRequest): boolean =>
  page === 1 || cursor !== undefined;

const getPageSize = ({ pageSize, limit, size }: PageRequest): number =>
  size ?? Math.min(pageSize ?? limit ?? defaultSize, maxSize);

const tooDeep = () => invalidField('page', `is beyond item ${maxDepth}; use \`cursor\``);

const signCursor = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`cursor\n${text}`).digest('base64url');

const writeCursor = async (key: ListKey, page: number, scope: string): Promise<string> => {
  const { kid, secret } = await getCurrentKey();
  const text = Buffer.from(JSON.stringify({ key, page })).toString('base64url');
  return `${kid}.${text}.${signCursor(secret, `${scope}\n${text}`)}`;
};

const readCursor = async (
  cursor: string,
  scope: string,
): Promise<{ readonly key: ListKey; readonly page: number }> => {
  const [kid = '', text = '', mac = ''] = cursor.split('.');
  const key = await findSigningKey(kid);
  const expected = Buffer.from(key ? signCursor(key.secret, `${scope}\n${text}`) : '');
  const given = Buffer.from(mac);
  if (!key || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidField('cursor', foreignCursor);
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString());
};

/**
 * Reads a page of a query by page number or cursor. `scope` identifies the caller and the list, and a cursor is valid
 * for no other. Page 1 and pages by cursor cost the same for any length of the list.
 * @throws AppError VALIDATION_ERROR for an invalid cursor, or a page that only a cursor reaches
 */
export const readPage = (
  query: ListQuery,
  request: PageRequest,
  scope: string,
): Promise<Page<ListKey>> =>
  readPageFrom(
    async (count, from, isReversed) => ({
      items: await queryItems(inDirection(query, isReversed), count, from),
    }),
    query.IndexName !== undefined,
    request,
    scope,
  );

/**
 * Reads a page of a list from several places. `ofIndex` means that its items are in the index. If a source stops early,
 * the page is short or empty and has a cursor.
 * @throws AppError VALIDATION_ERROR as `readPage`
 */
export const readPageFrom = async (
  source: Source,
  ofIndex: boolean,
  request: PageRequest,
  scope: string,
): Promise<Page<ListKey>> => {
  const { page, cursor, sort } = request;
  const size = getPageSize(request);
  const isReversed = sort?.isReversed ?? false;
  const boundTo = isReversed ? `${scope}#reversed` : scope;
  const start = cursor === undefined ? undefined : await readCursor(cursor, boundTo);
  const number = start?.page ?? page ?? 1;
  if (!start && number * size > maxDepth) throw tooDeep();
  const skip = start ? 0 : (number - 1) * size;
  // One more item than the page shows whether another page follows.
  const { items, stoppedAt } = await source(skip + size + 1, start?.key, isReversed);
  const shown = items.slice(skip, skip + size);
  const last = items.length > skip + size ? shown.at(-1) : stoppedAt;
  return {
    items: shown,
    page: number,
    pageSize: size,
    nextCursor: last ? await writeCursor(toStartKey(last, ofIndex), number + 1, boundTo) : null,
  };
};
