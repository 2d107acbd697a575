import { diffArrays } from 'diff';

/** A part of two versions of a text, in lines. */
export type Part =
  | { readonly kind: 'same'; readonly lines: readonly string[] }
  | {
      readonly kind: 'place';
      readonly mine: readonly string[];
      readonly theirs: readonly string[];
      /** Who has changed it from what both began with. */
      readonly by: 'mine' | 'theirs' | 'both';
    };

export type Place = Extract<Part, { readonly kind: 'place' }>;

/** Lines that replace those from `start` up to `end`. */
interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** Bounds of a comparison: ms, and lines that differ. Beyond, all between the same start and end differs. */
const bounds = { timeout: 300, maxEditLength: 2_000 };

/** Returns the hunks that make a text another. */
const findHunks = (from: readonly string[], to: readonly string[]): readonly Hunk[] => {
  let same = 0;
  while (same < from.length && same < to.length && from[same] === to[same]) same += 1;
  let end = 0;
  const shortest = Math.min(from.length, to.length) - same;
  while (end < shortest && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const [inner, others] = [from.slice(same, from.length - end), to.slice(same, to.length - end)];
  const changes = diffArrays([...inner], [...others], bounds);
  if (!changes) return [{ start: same, end: from.length - end, lines: others }];
  const hunks: Hunk[] = [];
  let at = same;
  for (const { added, removed, value } of changes) {
    const last = hunks.at(-1);
    const next = removed ? at + value.length : at;
    if (added || removed) {
      const lines = added ? value : [];
      if (last?.end === at) {
        hunks[hunks.length - 1] = { ...last, end: next, lines: [...last.lines, ...lines] };
      } else hunks.push({ start: at, end: next, lines });
    }
    at = added ? at : at + value.length;
  }
  return hunks;
};

/** Returns what a range of a text is after hunks within it. */
const apply = (
  text: readonly string[],
  hunks: readonly Hunk[],
  start: number,
  end: number,
): readonly string[] => {
  let at = start;
  const lines: string[] = [];
  for (const hunk of hunks) {
    lines.push(...text.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  return [...lines, ...text.slice(at, end)];
};

const areSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);

/**
 * Compares two versions of a text by lines. With `base`, of which both were made, each place says who changed it; changes
 * that touch are one place. Without it, both changed all that differs.
 */
export const compare = (base: string | undefined, mine: string, theirs: string): Part[] => {
  const from = (base ?? mine).split('\n');
  const ours = base === undefined ? [] : findHunks(from, mine.split('\n'));
  const others = findHunks(from, theirs.split('\n'));
  const all = [
    ...ours.map((hunk) => ({ hunk, isMine: true })),
    ...others.map((hunk) => ({ hunk, isMine: false })),
  ].sort((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end);
  const parts: Part[] = [];
  const add = (lines: readonly string[]) => {
    const last = parts.at(-1);
    if (lines.length === 0) return;
    if (last?.kind === 'same')
      parts[parts.length - 1] = { ...last, lines: [...last.lines, ...lines] };
    else parts.push({ kind: 'same', lines });
  };
  let at = 0;
  for (let first = 0; first < all.length; ) {
    const start = all[first]?.hunk.start ?? 0;
    let end = all[first]?.hunk.end ?? 0;
    let next = first + 1;
    for (let hunk = all[next]?.hunk; hunk && hunk.start <= end; hunk = all[next]?.hunk) {
      end = Math.max(end, hunk.end);
      next += 1;
    }
    const region = all.slice(first, next);
    const of = (isMine: boolean) => region.filter((one) => one.isMine === isMine);
    const toText = (isMine: boolean) =>
      apply(
        from,
        of(isMine).map(({ hunk }) => hunk),
        start,
        end,
      );
    const [own, other] = [toText(true), toText(false)];
    add(from.slice(at, start));
    if (areSame(own, other)) add(own);
    else {
      const isBoth = base === undefined || (of(true).length > 0 && of(false).length > 0);
      const by = isBoth ? 'both' : of(true).length > 0 ? 'mine' : 'theirs';
      parts.push({ kind: 'place', mine: own, theirs: other, by });
    }
    at = end;
    first = next;
  }
  add(from.slice(at));
  return parts;
};

/** A text with the changes of both. */
export interface Merged {
  readonly text: string;
  /** Where the first place that both changed begins, in UTF-16 units; `undefined` without one. */
  readonly overlapAt: number | undefined;
}

/** Returns the text with the changes of both; where both changed the same, mine and below it theirs. */
export const mergeBoth = (parts: readonly Part[]): Merged => {
  const lines: string[] = [];
  let overlapAt: number | undefined;
  for (const part of parts) {
    if (part.kind === 'place' && part.by === 'both') {
      overlapAt ??= lines.reduce((sum, line) => sum + line.length + 1, 0);
      lines.push(...part.mine, ...part.theirs);
    } else if (part.kind === 'same') lines.push(...part.lines);
    else lines.push(...part[part.by === 'mine' ? 'mine' : 'theirs']);
  }
  return { text: lines.join('\n'), overlapAt };
};

/** Returns the title with the changes of both, each after the other if both changed it. */
export const mergeTitles = (base: string | undefined, mine: string, theirs: string): string => {
  if (mine === theirs || mine === base) return theirs;
  return theirs === base ? mine : `${mine} / ${theirs}`.slice(0, 200);
};
