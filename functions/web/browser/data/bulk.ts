import { isUnproven } from '../client/proof.ts';

/** How many requests run at once. */
const atOnce = 4;

/** What became of each item. */
export interface BulkResult<Item> {
  readonly done: readonly Item[];
  readonly failed: readonly { readonly item: Item; readonly error: Error }[];
  /** Those that it had not come to when it was stopped. */
  readonly left: readonly Item[];
}

/** Does something with each item, by one request each, at most 4 at a time. A failure stops no other; `signal` stops those to come. */
export const runForEach = async <Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<BulkResult<Item>> => {
  const done: Item[] = [];
  const failed: { item: Item; error: Error }[] = [];
  const queue = [...items];
  const work = async () => {
    while (!signal?.aborted) {
      const item = queue.shift();
      if (item === undefined) return;
      try {
        await run(item);
        done.push(item);
      } catch (error) {
        failed.push({ item, error: error as Error });
        // Each of those to come would ask for the proof again that the user didn't give.
        if (isUnproven(error)) failed.push(...queue.splice(0).map((one) => ({ item: one, error })));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failed, left: queue };
};
