import { schema } from '../db/key.ts';
import { type Partition, partitionQuery } from './list-partitions.ts';
import { type ListKey, type ListQuery, queryItems } from './pagination.ts';

/** When to stop processing a list, in ms since 1970. */
export interface Deadline {
  readonly deadline: number;
}

/** Progress of processing: complete, or the key of the last item, after which the next call continues. */
export interface WalkResult {
  readonly isAtEnd: boolean;
  readonly last: ListKey | undefined;
}

const atOnce = 25;

/** Returns the attributes that continue a query: the table's key and, for the index, the index's. */
const getPlace = (item: ListKey, { IndexName }: ListQuery): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const ofIndex = IndexName === undefined ? [] : [index.partitionKey, index.sortKey];
  return Object.fromEntries([partitionKey, sortKey, ...ofIndex].map((name) => [name, item[name]]));
};

/** Calls `work` with the items of a query after a key, or with all, 25 at a time in order. `work` may delete them. */
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

/** Processes all items of a query. Returns whether it finished in time. */
export const processItems = async (
  query: ListQuery,
  work: (items: readonly ListKey[]) => Promise<void>,
  bound: Deadline,
): Promise<boolean> => (await processItemsFrom(query, undefined, work, bound)).isAtEnd;

/**
 * Calls `work` with the id of each item in a partition, sequentially, because the calls update the same counters.
 * `work` may delete the items. Returns whether it finished in time.
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

/** Creates the query of index entries due before a time (ms since 1970). */
export const dueItemsQuery = (pk: string, before: number): ListQuery => ({
  IndexName: schema.index.name,
  KeyConditionExpression: 'gsi1pk = :pk AND gsi1sk < :before',
  ExpressionAttributeValues: { ':pk': pk, ':before': new Date(before).toISOString() },
});

/** Time limit of a scheduled run: a third of the function's minute, which leaves the rest for the work in progress. */
const sweepMs = 20_000;

/** Returns the deadline of a scheduled run that starts now. */
export const sweepDeadline = (): Deadline => ({ deadline: Date.now() + sweepMs });

/**
 * Calls `work` with each item of a query, sequentially, for up to 20 s; the next scheduled run does the rest. A failure
 * does not stop the others and is tried again in the next run.
 * @throws what the first failed call threw
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
