/** What changes a list of blocks into another: all between the first `from` and the last `kept` are replaced. */
export interface Patch {
  readonly from: number;
  readonly kept: number;
  readonly blocks: readonly string[];
}

/** Returns the smallest patch from one list of blocks to another. */
export const findPatch = (before: readonly string[], after: readonly string[]): Patch => {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let kept = 0;
  while (kept < most - from && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  return { from, kept, blocks: after.slice(from, after.length - kept) };
};
