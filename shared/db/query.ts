import {
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from './dynamodb.ts';
import { type Key, schema } from './key.ts';

/** An item that a query returns. */
export type ListKey = Record<string, unknown>;

export type ListQuery = Omit<QueryCommandInput, 'TableName' | 'Limit' | 'ExclusiveStartKey'>;

/** A partition of entries ordered by sort key, in the table or in its index, which may lag. */
export interface Partition {
  readonly pk: string;
  readonly ofIndex?: true;
  /** Only the items whose sort key begins so. */
  readonly prefix?: string;
}

/** Creates the query of a whole partition. */
export const partitionQuery = (partition: Partition, isDescending: boolean): ListQuery => {
  const { pk, ofIndex, prefix } = partition;
  const { partitionKey, sortKey } = ofIndex ? schema.index : schema;
  return {
    ...(ofIndex ? { IndexName: schema.index.name } : { ConsistentRead: true }),
    KeyConditionExpression: `#pk = :pk${prefix === undefined ? '' : ' AND begins_with(#sk, :prefix)'}`,
    ExpressionAttributeNames: {
      '#pk': partitionKey,
      ...(prefix !== undefined && { '#sk': sortKey }),
    },
    ExpressionAttributeValues: { ':pk': pk, ...(prefix !== undefined && { ':prefix': prefix }) },
    ScanIndexForward: !isDescending,
  };
};

/** Creates the strongly consistent query of a partition's items with a sort key prefix. */
export const startAt = ({ pk, sk }: Key) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': sk },
  ConsistentRead: true,
});

/** Returns the query in its own direction or the other. */
export const inDirection = (query: ListQuery, isReversed: boolean): ListQuery => ({
  ...query,
  ScanIndexForward: (query.ScanIndexForward ?? true) !== isReversed,
});

/** Returns the attributes that continue a query after an item: the table's key and, for the index, the index's. */
export const toStartKey = (item: ListKey, ofIndex: boolean): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const names = [partitionKey, sortKey, ...(ofIndex ? [index.partitionKey, index.sortKey] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name]]));
};

/** What was read of a query: its matches, how many items were examined, and the last key unless it is at its end. */
interface Found {
  readonly items: ListKey[];
  count: number;
  scanned: number;
  next: ListKey | undefined;
}

/** Reads a query after a key until it ends or `limit`, how many items to examine next, is no longer positive. */
const readOn = async (
  query: ListQuery,
  from: ListKey | undefined,
  limit: (found: Found) => number,
): Promise<Found> => {
  const found: Found = { items: [], count: 0, scanned: 0, next: from };
  do {
    const response: QueryCommandOutput = await documentClient().send(
      new QueryCommand({
        ...query,
        TableName: tableName(),
        Limit: limit(found),
        ExclusiveStartKey: found.next,
      }),
    );
    found.items.push(...(response.Items ?? []));
    found.count += response.Items?.length ?? response.Count ?? 0;
    found.scanned += response.ScannedCount ?? 0;
    found.next = response.LastEvaluatedKey;
  } while (found.next && limit(found) > 0);
  return found;
};

/** Reads up to `count` items of a query after a key. Follows DynamoDB's partial results. */
export const queryItems = async (
  query: ListQuery,
  count: number,
  from: ListKey | undefined,
): Promise<ListKey[]> => (await readOn(query, from, (found) => count - found.count)).items;

/** Counts the items of a query up to a limit. Follows DynamoDB's partial results. */
export const countItems = async (query: ListQuery, bound: number): Promise<number> =>
  (await readOn({ ...query, Select: 'COUNT' }, undefined, ({ count }) => bound - count)).count;

/** Maximum number of items examined per request when a filter drops some. */
const maxScanned = 20_000;
/** Items that a filter drops count against DynamoDB's limit of one query. */
const filteredAtOnce = 2_000;

/**
 * Reads up to `count` items that match a filter. Examines more per query, because few may match, and stops once
 * `maxExamined` items are. `stoppedAt` is the last examined key, unless the query is at its end.
 */
export const readFilteredSlice = async (
  query: ListQuery,
  count: number,
  from?: ListKey | undefined,
  maxExamined = maxScanned,
) => {
  const { items, scanned, next } = await readOn(query, from, (found) =>
    found.count < count
      ? Math.min(Math.max(count, 3 * found.scanned), filteredAtOnce, maxExamined - found.scanned)
      : 0,
  );
  return { items: items.slice(0, count), stoppedAt: next, examined: scanned };
};

/** Reads all items of a query, up to a limit of matches and a limit of examined items. */
export const queryMatches = async (
  query: ListQuery,
  bound: { readonly matches: number; readonly scanned: number },
): Promise<{ readonly items: ListKey[]; readonly isWhole: boolean }> => {
  const { items, next } = await readOn(query, undefined, ({ count, scanned }) => {
    if (scanned >= bound.scanned) return 0;
    const left = bound.matches - count;
    return query.FilterExpression && left > 0 ? filteredAtOnce : left;
  });
  return { items, isWhole: next === undefined };
};
