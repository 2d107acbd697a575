import { schema } from '../db/table.ts';
import { type Partition, partitionQuery } from './list-partitions.ts';
import { type ListKey, type ListQuery, queryItems } from './pagination.ts';

/** When work on a list is to stop, in ms since 1970. */
export interface Deadline {
  readonly deadline: number;
}

/** How far a walk has come: to the end, or else to the item of this key, behind which the next one goes on. */
export interface WalkResult {
  readonly isAtEnd: boolean;
  readonly last: ListKey | undefined;
}

const atOnce = 25;

/** The attributes that a query goes on from: the table's key, and the index's where it is of the index. */
const getPlace = (item: ListKey, { IndexName }: ListQuery): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const ofIndex = IndexName === undefined ? [] : [index.partitionKey, index.sortKey];
  return Object.fromEntries([partitionKey, sortKey, ...ofIndex].map((name) => [name, item[name]]));
};

/**
 * Calls `work` with the items of a query that follow a key, or with all, 25 at a time and in their order; it may remove
 * them.
 */
export const processItemsFrom = async (
  query: ListQuery,
  from: ListKey | undefined,
  work: (items: readonly ListKey[]) => Promise<void>,
  { deadline }: Deadline,
): Promise<WalkResult> => {
  let last = from;
  while (Date.now() < deadline) {
    const items = await queryItems(query, atOnce, last);
    if (items.length > 0) await work(items);
    const next = items[atOnce - 1];
    if (!next) return { isAtEnd: true, last: undefined };
    last = getPlace(next, query);
  }
  return { isAtEnd: false, last };
};

/** The same of all items of a query. Says whether it got to the end in time. */
export const processItems = async (
  query: ListQuery,
  work: (items: readonly ListKey[]) => Promise<void>,
  bound: Deadline,
): Promise<boolean> => (await processItemsFrom(query, undefined, work, bound)).isAtEnd;

/**
 * Calls `work` with the id of each item of a partition, one after another, because they move the same counters; it may
 * remove them. Says whether it got to the end in time.
 */
export const forEachId = (
  { pk }: Partition,
  work: (id: number) => Promise<unknown>,
  bound: Deadline,
): Promise<boolean> =>
  processItems(
    partitionQuery({ pk }, false),
    async (items) => {
      for (const { id } of items) await work(id as number);
    },
    bound,
  );

/** What a partition of the index names with a time (ISO 8601) before `before` (ms since 1970). */
export const dueItemsQuery = (pk: string, before: number): ListQuery => ({
  IndexName: schema.index.name,
  KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
  ExpressionAttributeValues: { ':pk': pk, ':before': new Date(before).toISOString() },
});

/** How long a sweep goes on: a third of the function's minute, and what was begun last has the rest. */
const sweepMs = 20_000;

/** The bound of a sweep that begins now; the next minute's does the rest. */
export const sweepDeadline = (): Deadline => ({ deadline: Date.now() + sweepMs });

/**
 * Calls `work` with each item of a query, one after another, until there are no more or 20 s are over; the next minute's
 * sweep does the rest. One that fails keeps none of the others from its turn, and has its own again in a minute.
 * @throws what the first that failed threw
 */
export const processDue = async (
  query: ListQuery,
  work: (item: ListKey) => Promise<unknown>,
): Promise<void> => {
  const bound = sweepDeadline();
  const failures: unknown[] = [];
  const workOn = async (items: readonly ListKey[]) => {
    for (const item of items) {
      if (Date.now() >= bound.deadline) return;
      await work(item).catch((error) => failures.push(error));
    }
  };
  await processItems(query, workOn, bound);
  if (failures.length > 0) throw failures[0];
};
