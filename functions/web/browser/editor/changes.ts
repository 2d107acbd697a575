import type { Change } from './text-editor.ts';

/** Returns the smallest change from one text to another; `undefined` if they are equal. */
export const findChange = (before: string, after: string): Change | undefined => {
  if (before === after) return undefined;
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let end = 0;
  while (end < most - from && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
};

/** Returns a text with a change. */
export const applyChange = (text: string, { from, to, insert }: Change): string =>
  text.slice(0, from) + insert + text.slice(to);
