/** A part of two lists: from and to (exclusive), of the list before and of the one after. */
interface Range {
  readonly before: readonly [number, number];
  readonly after: readonly [number, number];
}

type Pair = readonly [before: number, after: number];

/** Returns the places of the texts that a part of a list has once. */
const findUnique = (texts: readonly string[], [from, to]: Range['before']): Map<string, number> => {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let at = from; at < to; at++) {
    const text = texts[at] ?? '';
    if (places.has(text)) repeated.add(text);
    places.set(text, at);
  }
  for (const text of repeated) places.delete(text);
  return places;
};

/** Returns the most pairs whose places in the list before increase, in `n log n`. */
const chooseIncreasing = (pairs: readonly Pair[]): readonly Pair[] => {
  /** The last pair of the best choice of each length, each with the pair before it. */
  const ends: { readonly pair: Pair; readonly last: unknown }[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.pair[0] ?? 0) < pair[0]) low = middle + 1;
      else high = middle;
    }
    ends[low] = { pair, last: ends[low - 1] };
  }
  const chosen: Pair[] = [];
  let end = ends.at(-1);
  while (end) {
    chosen.push(end.pair);
    end = end.last as typeof end | undefined;
  }
  return chosen.reverse();
};

/**
 * Finds blocks of a list that are the same in another, in their order (patience diff). Returns their places in the list before
 * by those in the list after. Takes `n log n`; what is moved or repeated may be missed.
 */
export const matchBlocks = (
  before: readonly string[],
  after: readonly string[],
): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  /** Matches what is the same at the start and at the end of a part. Returns the rest. */
  const matchEnds = ({ before: [from, to], after: [start, end] }: Range): Range => {
    while (from < to && start < end && before[from] === after[start]) found.set(start++, from++);
    while (to > from && end > start && before[to - 1] === after[end - 1]) found.set(--end, --to);
    return { before: [from, to], after: [start, end] };
  };
  const rest = matchEnds({ before: [0, before.length], after: [0, after.length] });
  const places = findUnique(before, rest.before);
  const shared = [...findUnique(after, rest.after)].flatMap(([text, at]): Pair[] => {
    const place = places.get(text);
    return place === undefined ? [] : [[place, at]];
  });
  let [from, start] = [rest.before[0], rest.after[0]];
  for (const [place, at] of chooseIncreasing(shared)) {
    found.set(at, place);
    matchEnds({ before: [from, place], after: [start, at] });
    [from, start] = [place + 1, at + 1];
  }
  matchEnds({ before: [from, rest.before[1]], after: [start, rest.after[1]] });
  return found;
};
