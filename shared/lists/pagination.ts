import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { type Key, schema } from '../db/key.ts';
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
}

/** A page of a list. `nextCursor` is null on the last one. */
export interface Page<Item> {
  readonly items: Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

export type ListKey = Record<string, unknown>;

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

const getPageSize = ({ pageSize, limit }: PageRequest): number =>
  Math.min(pageSize ?? limit ?? defaultSize, maxSize);

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

export type ListQuery = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** Creates the strongly consistent query of a partition's items with a sort key prefix. */
export const startAt = ({ pk, sk }: Key) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  ConsistentRead: true,
});

/** Reads up to `count` items of a query after a key. Follows DynamoDB's partial results. */
export const queryItems = async (
  query: ListQuery,
  count: number,
  from: ListKey | undefined,
): Promise<ListKey[]> => {
  const items: ListKey[] = [];
  let next = from;
  do {
    const response = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: count - items.length,
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(response.Items ?? []));
    next = response.LastEvaluatedKey;
  } while (next && items.length < count);
  return items;
};

/** Maximum number of items examined per request when a filter drops some. */
const maxScanned = 20_000;
const maxScannedAtOnce = 2_000;

/**
 * Reads up to `count` items that match a filter. Examines more per query, because few may match, and stops once
 * `maxExamined` items are.
 */
export const readFilteredSlice = async (
  query: ListQuery,
  count: number,
  from?: ListKey | undefined,
  maxExamined = maxScanned,
): Promise<Slice & { readonly examined: number }> => {
  const items: ListKey[] = [];
  let scanned = 0;
  let next = from;
  do {
    const response: QueryCommandOutput = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: Math.min(Math.max(count, 3 * scanned), maxScannedAtOnce, maxExamined - scanned),
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(response.Items ?? []));
    scanned += response.ScannedCount ?? 0;
    next = response.LastEvaluatedKey;
  } while (next && items.length < count && scanned < maxExamined);
  return { items: items.slice(0, count), stoppedAt: next, examined: scanned };
};

/** Returns the query in its own direction or the other. */
export const inDirection = (query: ListQuery, isReversed: boolean): ListQuery => ({
  ...query,
  ScanIndexForward: (query.ScanIndexForward ?? true) !== isReversed,
});

/** Returns the attributes that continue a query: the table's key and, for the index, the index's. */
const getCursorKey = (item: ListKey, ofIndex: boolean): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const names = [partitionKey, sortKey, ...(ofIndex ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
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
    nextCursor: last ? await writeCursor(getCursorKey(last, ofIndex), number + 1, boundTo) : null,
  };
};

/** Counts the items of a query up to a limit. Follows DynamoDB's partial results. */
export const countItems = async (query: ListQuery, bound: number): Promise<number> => {
  let count = 0;
  let next: ListKey | undefined;
  do {
    const response = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Select: 'COUNT',
        Limit: bound - count,
        ExclusiveStartKey: next,
      }),
    );
    count += response.Count ?? 0;
    next = response.LastEvaluatedKey;
  } while (next && count < bound);
  return count;
};

const filteredAtOnce = 2_000;

/** Reads all items of a query, up to a limit of matches and a limit of examined items. */
export const queryMatches = async (
  query: ListQuery,
  bound: { readonly matches: number; readonly scanned: number },
): Promise<{ readonly items: ListKey[]; readonly isWhole: boolean }> => {
  const items: ListKey[] = [];
  let scanned = 0;
  let next: ListKey | undefined;
  do {
    const response = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        // Items that the filter drops count against DynamoDB's limit.
        Limit: query.FilterExpression ? filteredAtOnce : bound.matches - items.length,
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(response.Items ?? []));
    scanned += response.ScannedCount ?? 0;
    next = response.LastEvaluatedKey;
  } while (next && items.length < bound.matches && scanned < bound.scanned);
  return { items, isWhole: next === undefined };
};
