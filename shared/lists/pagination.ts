import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { type Key, schema } from '../db/table.ts';
import { invalidField } from '../runtime/errors.ts';
import { createSigningKey, getCurrentKey } from '../runtime/signing-keys.ts';
import type { Sort } from './sort.ts';

const defaultSize = 10;
const maxSize = 100;
/** The furthest a list is counted through by page number; past it the cursor leads on (decisions.md#lists). */
const maxDepth = 10_000;

/** Has room for two keys that a name is part of, each of its characters escaped in JSON. */
const maxCursor = 4_096;

const foreignCursor = 'must be a nextCursor from this list';

const wholeNumber = z.coerce
  .number('must be a positive integer')
  .int('must be a positive integer')
  .min(1, 'must be a positive integer');

/** A list as it is answered: its page, and how many there are in all. */
export interface ListResult<Item> extends Page<Item> {
  readonly total: number;
  /** False where there are more than were counted. */
  readonly totalIsExact: boolean;
}

/** How far the matches of a filter are counted (decisions.md#lists). */
export const maxCountedMatches = 1_000;

/** The query parameters of every list. A `pageSize` past 100 is taken as 100. */
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

/** One page of a list; `nextCursor` is null on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

export type ListKey = Record<string, unknown>;

/** A part of a list, and the key up to which it was looked through where that was given up before the part was full. */
export interface Slice {
  readonly items: readonly ListKey[];
  readonly stoppedAt?: ListKey | undefined;
}

/** Where a list is read from: up to `count` items that follow a key, or the first ones; in reverse where it is asked for. */
export type Source = (
  count: number,
  from: ListKey | undefined,
  isReversed: boolean,
) => Promise<Slice>;

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
  const key = await createSigningKey(kid);
  const expected = Buffer.from(key ? signCursor(key.secret, `${scope}\n${text}`) : '');
  const given = Buffer.from(mac);
  if (!key || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidField('cursor', foreignCursor);
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString());
};

export type ListQuery = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** The query of the items below a partition key whose sort keys begin as the given one, strongly consistent. */
export const startAt = ({ pk, sk }: Key) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  ConsistentRead: true,
});

/** Reads up to `count` items of a query from a key on, however the table cuts its answers. */
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

/** Bounds what one request looks at of items that a filter may drop. */
const maxScanned = 20_000;
const maxScannedAtOnce = 2_000;

/** Reads up to `count` items that a filter leaves. It looks at more each time, because few may be left. */
export const readFilteredSlice = async (
  query: ListQuery,
  count: number,
  from?: ListKey | undefined,
): Promise<Slice> => {
  const items: ListKey[] = [];
  let scanned = 0;
  let next = from;
  do {
    const response: QueryCommandOutput = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: Math.min(Math.max(count, 3 * scanned), maxScannedAtOnce),
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(response.Items ?? []));
    scanned += response.ScannedCount ?? 0;
    next = response.LastEvaluatedKey;
  } while (next && items.length < count && scanned < maxScanned);
  return { items: items.slice(0, count), stoppedAt: next };
};

/** A query in its own direction or the other. */
export const inDirection = (query: ListQuery, isReversed: boolean): ListQuery => ({
  ...query,
  ScanIndexForward: (query.ScanIndexForward ?? true) !== isReversed,
});

/** The attributes that a query goes on from: the table's key, and the index's where it is of the index. */
const getCursorKey = (item: ListKey, ofIndex: boolean): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const names = [partitionKey, sortKey, ...(ofIndex ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
};

/**
 * One page of a query of the table, by page number or cursor. `scope` names the caller and the query: a cursor is
 * good for no other. The cost of page 1, and of any page by cursor, doesn't depend on the length of the list.
 * @throws AppError VALIDATION_ERROR for a foreign cursor, or a page so deep that only a cursor leads there
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
 * The same of a list that lies in several places. `ofIndex` says that its items are of the index. A page of a source that
 * stopped early is short, or empty, and has a cursor.
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
  // One more than is shown tells whether something follows.
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

/** How many items a query has, counted up to a bound. Loops on the key that a cut answer gives. */
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

/** Every item of a query, up to a bound on those that match and one on those that are looked at. */
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
        // What a filter drops is read beyond the bound.
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
