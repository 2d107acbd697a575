import { type ListKey, type ListQuery, readSome } from './page.ts';
import { type Partition, queryOf } from './shelves.ts';

/** When work on a list is to stop, in ms since 1970. */
export interface Bound {
  readonly deadline: number;
}

const atOnce = 25;

/**
 * Calls `work` with the items of a query of the table, 25 at a time and in their order; it may remove them. Says whether
 * it got to the end in time.
 */
export const walk = async (
  query: ListQuery,
  work: (items: readonly ListKey[]) => Promise<void>,
  { deadline }: Bound,
): Promise<boolean> => {
  let from: ListKey | undefined;
  while (Date.now() < deadline) {
    const items = await readSome(query, atOnce, from);
    if (items.length > 0) await work(items);
    const last = items[atOnce - 1];
    if (!last) return true;
    from = { pk: last['pk'], sk: last['sk'] };
  }
  return false;
};

/**
 * Calls `work` with the id of each item of a partition, one after another, because they move the same counters; it may
 * remove them. Says whether it got to the end in time.
 */
export const forEachId = (
  { pk }: Partition,
  work: (id: number) => Promise<unknown>,
  bound: Bound,
): Promise<boolean> =>
  walk(
    queryOf({ pk }, false),
    async (items) => {
      for (const { id } of items) await work(id as number);
    },
    bound,
  );
