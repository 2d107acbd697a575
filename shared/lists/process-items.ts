import { crc32 } from 'node:zlib';
import {
  type ListKey,
  type ListQuery,
  type Partition,
  partitionQuery,
  queryItems,
  toStartKey,
} from '../db/query.ts';

/** When to stop processing a list, in ms since 1970. */
export interface Deadline {
  readonly deadline: number;
}

/** One of `count` equal parts of a list, by a hash of the sort keys. Others process the rest at the same time. */
export interface Part {
  readonly part: number;
  readonly count: number;
}

/** When to stop, and which part of a list to process, if not all. */
export interface Bound extends Deadline {
  readonly only?: Part | undefined;
}

const isOf =
  ({ part, count }: Part) =>
  ({ sk }: ListKey): boolean =>
    crc32(String(sk)) % count === part;

/** Progress of processing: complete, or the key of the last item, after which the next call continues. */
export interface WalkResult {
  readonly isAtEnd: boolean;
  readonly last: ListKey | undefined;
}

/** How many items are processed together by default, and how many of a list of which only a part is processed. */
const fewAtOnce = 25;
const manyAtOnce = 100;

/** Calls `work` with the items of a query after a key, or with all, 25 at a time in order, or `atOnce`. `work` may delete them. */
export const processItemsFrom = async (
  query: ListQuery,
  from: ListKey | undefined,
  work: (items: readonly ListKey[]) => Promise<void>,
  { deadline, only, atOnce = only ? manyAtOnce : fewAtOnce }: Bound & { readonly atOnce?: number },
): Promise<WalkResult> => {
  let last = from;
  while (Date.now() < deadline) {
    const items = await queryItems(query, atOnce, last);
    const own = only ? items.filter(isOf(only)) : items;
    if (own.length > 0) await work(own);
    const next = items[atOnce - 1];
    if (!next) return { isAtEnd: true, last: undefined };
    last = toStartKey(next, query.IndexName !== undefined);
  }
  return { isAtEnd: false, last };
};

/** Processes all items of a query. Returns whether it finished in time. */
export const processItems = async (
  query: ListQuery,
  work: (items: readonly ListKey[]) => Promise<void>,
  bound: Bound,
): Promise<boolean> => (await processItemsFrom(query, undefined, work, bound)).isAtEnd;

/** Calls `work` with the ids of the items in a partition, some at a time. `work` may delete the items. Returns whether it finished in time. */
export const forEachBatch = (
  { pk }: Partition,
  work: (ids: readonly number[]) => Promise<void>,
  bound: Bound,
): Promise<boolean> =>
  processItems(
    partitionQuery({ pk }, false),
    (items) => work(items.map(({ id }) => id as number)),
    bound,
  );

/**
 * Calls `work` with the id of each item in a partition, sequentially, because the calls update the same counters.
 * `work` may delete the items. Returns whether it finished in time.
 */
export const forEachId = (
  partition: Partition,
  work: (id: number) => Promise<unknown>,
  bound: Bound,
): Promise<boolean> =>
  forEachBatch(
    partition,
    async (ids) => {
      for (const id of ids) await work(id);
    },
    bound,
  );
