/**
 * Calls `work` with each item, with at most `count` at once, in order of start. A failure stops no other.
 * @throws what the first failed call threw, after all others
 */
export const forEachAtOnce = async <Item>(
  items: readonly Item[],
  count: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> => {
  const failures: unknown[] = [];
  const waiting = items.values();
  const runNext = async () => {
    for (const item of waiting) await work(item).catch((error) => failures.push(error));
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, runNext));
  if (failures.length > 0) throw failures[0];
};

/**
 * Waits for all tasks, even if one fails.
 * @throws the error of the first that failed
 */
export const awaitAll = async <Result>(tasks: readonly Promise<Result>[]): Promise<Result[]> => {
  const outcomes = await Promise.allSettled(tasks);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
};
