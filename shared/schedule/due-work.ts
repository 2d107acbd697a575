import { schema } from '../db/key.ts';
import { type ListKey, type ListQuery, queryItems } from '../db/query.ts';
import { type Deadline, processItemsFrom } from '../lists/process-items.ts';
import { forEachAtOnce } from '../runtime/at-once.ts';
import type { ScheduledWork } from './scheduled-work.ts';

/** How many entries are processed together. A shard with more is left to a job (decisions.md#scheduled-run). */
export const sliceSize = 100;

/** How many entries of a slice are processed concurrently. */
const concurrency = 8;

/** Time limit of a sweep: a third of the function's minute, which leaves the rest for the work in progress. */
const sweepMs = 20_000;

/** Returns the deadline of a sweep that starts now. */
export const sweepDeadline = (): Deadline => ({ deadline: Date.now() + sweepMs });

/** Creates the query of what is due now in a shard. */
const dueQuery = ({ due, afterMs = 0 }: ScheduledWork, shard: string): ListQuery => {
  const { partitionKey, sortKey } = due.isIndex ? schema.index : schema;
  // The next millisecond, because keys continue after the time: what is due now is included.
  const before = new Date(Date.now() - afterMs + 1).toISOString();
  return {
    ...(due.isIndex && { IndexName: schema.index.name }),
    KeyConditionExpression: `${partitionKey} = :pk AND ${sortKey} < :before`,
    ExpressionAttributeValues: { ':pk': shard, ':before': before },
  };
};

/** Reads what is due in a shard: a slice, and one more entry if there is more. */
export const readDue = (work: ScheduledWork, shard: string): Promise<ListKey[]> =>
  queryItems(dueQuery(work, shard), sliceSize + 1, undefined);

/** Does what is due in a shard, oldest first. Returns whether it got to the end in time, and the first error. */
export const sweepShard = async (
  work: ScheduledWork,
  shard: string,
  bound: Deadline,
): Promise<{ readonly isAtEnd: boolean; readonly error: unknown }> => {
  let error: unknown;
  const { isAtEnd } = await processItemsFrom(
    dueQuery(work, shard),
    undefined,
    (items) =>
      work.run(items, bound).catch((reason) => {
        error ??= reason;
      }),
    { ...bound, atOnce: sliceSize },
  );
  // A slice may have been cut off.
  return { isAtEnd: isAtEnd && Date.now() < bound.deadline, error };
};

/**
 * Calls `work` with each entry, 8 at once, until the deadline. Those of the same group go one after another, because they
 * write the same items.
 * @throws what the first failed call threw, after all others
 */
export const runEach = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  { deadline }: Deadline,
  groupOf: (item: Item) => unknown = (item) => item,
): Promise<void> => {
  const groups = [...Map.groupBy(items, groupOf).values()];
  await forEachAtOnce(groups, concurrency, (group) =>
    forEachAtOnce(group, 1, async (item) => {
      if (Date.now() < deadline) await work(item);
    }),
  );
};
