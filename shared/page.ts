import { createHmac, timingSafeEqual } from 'node:crypto';
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { invalidField } from './errors.ts';
import { currentKey, signingKey } from './signing-keys.ts';
import { documentClient, schema, tableName } from './table.ts';

const defaultSize = 10;
const maxSize = 100;
/** The furthest a list is counted through by page number; past it the cursor leads on (decisions §1, Lists). */
const maxDepth = 10_000;

const wholeNumber = z.coerce
  .number('must be a whole number from 1')
  .int('must be a whole number from 1')
  .min(1, 'must be a whole number from 1');

/** The query parameters of every list. A `pageSize` past 100 is taken as 100. */
export const pageQuery = {
  page: wholeNumber.optional(),
  pageSize: wholeNumber.optional(),
  limit: wholeNumber.optional(),
  cursor: z.string().max(2_048).optional(),
};

export interface PageRequest {
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** One page of a list; `nextCursor` is null on the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly page: number;
  readonly pageSize: number;
  readonly nextCursor: string | null;
}

type ListKey = Record<string, unknown>;

const macOf = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(`cursor\n${text}`).digest('base64url');

const writeCursor = async (key: ListKey, page: number, scope: string): Promise<string> => {
  const { kid, secret } = await currentKey();
  const text = Buffer.from(JSON.stringify({ key, page })).toString('base64url');
  return `${kid}.${text}.${macOf(secret, `${scope}\n${text}`)}`;
};

const readCursor = async (
  cursor: string,
  scope: string,
): Promise<{ readonly key: ListKey; readonly page: number }> => {
  const [kid = '', text = '', mac = ''] = cursor.split('.');
  const key = await signingKey(kid);
  const expected = Buffer.from(key ? macOf(key.secret, `${scope}\n${text}`) : '');
  const given = Buffer.from(mac);
  if (!key || given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw invalidField('cursor', 'must be the nextCursor of this very list, as it was sent to you');
  }
  return JSON.parse(Buffer.from(text, 'base64url').toString());
};

type ListQuery = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** Reads up to `count` items from a key on, however the table cuts its answers. */
const readSome = async (
  query: ListQuery,
  count: number,
  from: ListKey | undefined,
): Promise<ListKey[]> => {
  const items: ListKey[] = [];
  let next = from;
  do {
    const answer = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: count - items.length,
        ExclusiveStartKey: next,
      }),
    );
    items.push(...(answer.Items ?? []));
    next = answer.LastEvaluatedKey;
  } while (next && items.length < count);
  return items;
};

/** The attributes that a query goes on from: the table's key, and the index's where it is of the index. */
const keyOf = (item: ListKey, ofIndex: boolean): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const names = [partitionKey, sortKey, ...(ofIndex ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
};

/**
 * One page of a query of the table, by page number or cursor. `scope` names the caller and the query: a cursor is
 * good for no other. The cost of page 1, and of any page by cursor, doesn't depend on the length of the list.
 * @throws AppError VALIDATION_ERROR for a foreign cursor, or a page so deep that only a cursor leads there
 */
export const readPage = async (
  query: ListQuery,
  { page, pageSize, limit, cursor }: PageRequest,
  scope: string,
): Promise<Page<ListKey>> => {
  const size = Math.min(pageSize ?? limit ?? defaultSize, maxSize);
  const start = cursor === undefined ? undefined : await readCursor(cursor, scope);
  const number = start?.page ?? page ?? 1;
  if (!start && number * size > maxDepth) {
    throw invalidField('page', `is past item ${maxDepth}: go on with \`cursor\` from nextCursor`);
  }
  const skip = start ? 0 : (number - 1) * size;
  // One more than is shown tells whether something follows.
  const items = await readSome(query, skip + size + 1, start?.key);
  const shown = items.slice(skip, skip + size);
  const lastShown = items.length > skip + size ? shown.at(-1) : undefined;
  return {
    items: shown,
    page: number,
    pageSize: size,
    nextCursor: lastShown
      ? await writeCursor(keyOf(lastShown, query.IndexName !== undefined), number + 1, scope)
      : null,
  };
};
