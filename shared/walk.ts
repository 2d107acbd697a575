import { type ListKey, type ListQuery, readSome } from './page.ts';
import { type Partition, queryOf } from './shelves.ts';
import { schema } from './table.ts';

/** When work on a list is to stop, in ms since 1970. */
export interface Bound {
  readonly deadline: number;
}

/** How far a walk has come: to the end, or else to the item of this key, behind which the next one goes on. */
export interface Walked {
  readonly isAtEnd: boolean;
  readonly last: ListKey | undefined;
}

const atOnce = 25;

/** The attributes that a query goes on from: the table's key, and the index's where it is of the index. */
const placeOf = (item: ListKey, { IndexName }: ListQuery): ListKey => {
  const { partitionKey, sortKey, index } = schema;
  const ofIndex = IndexName === undefined ? [] : [index.partitionKey, index.sortKey];
  return Object.fromEntries([partitionKey, sortKey, ...ofIndex].map((name) => [name, item[name]]));
};

/**
 * Calls `work` with the items of a query that follow a key, or with all, 25 at a time and in their order; it may remove
 * them.
 */
export const walkFrom = async (
  query: ListQuery,
  from: ListKey | undefined,
  work: (items: readonly ListKey[]) => Promise<void>,
  { deadline }: Bound,
): Promise<Walked> => {
  let last = from;
  while (Date.now() < deadline) {
    const items = await readSome(query, atOnce, last);
    if (items.length > 0) await work(items);
    const next = items[atOnce - 1];
    if (!next) return { isAtEnd: true, last: undefined };
    last = placeOf(next, query);
  }
  return { isAtEnd: false, last };
};

/** The same of all items of a query. Says whether it got to the end in time. */
export const walk = async (
  query: ListQuery,
  work: (items: readonly ListKey[]) => Promise<void>,
  bound: Bound,
): Promise<boolean> => (await walkFrom(query, undefined, work, bound)).isAtEnd;

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
