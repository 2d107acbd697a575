import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';

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
  const left: Item[] = [];
  await forEachAtOnce(items, atOnce, async (item) => {
    if (signal?.aborted) {
      left.push(item);
      return;
    }
    await run(item).then(
      () => done.push(item),
      (error) => failed.push({ item, error }),
    );
  });
  return { done, failed, left };
};
