/** Where a block begins: in the source, and in pixels from the top of the preview. */
export interface Anchor {
  readonly line: number;
  readonly top: number;
}

/** The anchors of all blocks in ascending order; that at `count` is the end. They are asked for one by one: each costs layout. */
export interface Anchors {
  readonly count: number;
  at(index: number): Anchor;
}

const start: Anchor = { line: 0, top: 0 };

/** Translates a value between two scales: finds the anchors around it and interpolates. */
const translate = (
  { count, at }: Anchors,
  value: number,
  from: keyof Anchor,
  to: keyof Anchor,
): number => {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle)[from] <= value) low = middle + 1;
    else high = middle;
  }
  const before = low === 0 ? start : at(low - 1);
  const after = at(low);
  const length = after[from] - before[from];
  const part = length > 0 ? Math.min(1, Math.max(0, (value - before[from]) / length)) : 0;
  return before[to] + part * (after[to] - before[to]);
};

/** Returns where a line of the source, from 0, is in the preview. */
export const findTop = (anchors: Anchors, line: number): number =>
  translate(anchors, line, 'line', 'top');

/** Returns the line of the source at a height of the preview. */
export const findLine = (anchors: Anchors, top: number): number =>
  translate(anchors, top, 'top', 'line');
