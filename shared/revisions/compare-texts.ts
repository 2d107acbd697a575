import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';
import { detectLineEnds, type LineEnds, toLf } from '../text/line-ends.ts';

/**
 * Bounds of a comparison (decisions.md#revisions): ms of CPU time, and lines that differ. It takes about 1 s to find 4,000
 * of them.
 */
const bounds = { timeout: 1_000, maxEditLength: 4_000 };

/** The length from which a diff is cut, in UTF-16 code units. */
export const maxDiffLength = 1024 * 1024;

const noNewline = '\\ No newline at end of file';

/** How the lines of two texts end. */
export interface LineEndsChange {
  readonly from: LineEnds;
  readonly to: LineEnds;
}

/** A comparison of two texts. */
export interface TextDiff {
  /** In the unified format, with three lines of context. Empty if the texts are the same, or differ in line endings alone. */
  readonly diff: string;
  /** Whether its end is missing, because it is too long. */
  readonly isCut: boolean;
  /** How the lines end, if that changed: then the diff compares what is before their ends. */
  readonly lineEnds?: LineEndsChange;
}

/** Marks each line of a text. */
const mark = (text: string, sign: '-' | '+'): string[] => {
  const lines = text.split('\n').map((line) => sign + line);
  return text.endsWith('\n') ? lines.slice(0, -1) : [...lines, noNewline];
};

const countLineEnds = (text: string): number => {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
};

const countLines = (text: string): number => countLineEnds(text) + (text.endsWith('\n') ? 0 : 1);

/**
 * Describes texts with too many differences: the one is replaced by the other. Made without the library, which takes
 * over 1 s for texts of 2 MB with short lines. What is cut anyway isn’t marked.
 */
const replaceAll = (from: string, to: string): Pick<StructuredPatch, 'hunks'> => {
  const removed = mark(from.slice(0, maxDiffLength), '-');
  const added = from.length > maxDiffLength ? [] : mark(to.slice(0, maxDiffLength), '+');
  const [oldLines, newLines] = [countLines(from), countLines(to)];
  return {
    hunks: [{ oldStart: 1, oldLines, newStart: 1, newLines, lines: [...removed, ...added] }],
  };
};

/** Splits a text into its lines. A last one without an end is another than the same line with one. */
const splitLines = (text: string): string[] => {
  const lines = text.split('\n');
  const last = lines.pop();
  if (last) lines.push(`${last}\n${noNewline}`);
  return lines;
};

/**
 * Returns how many lines of either text the other doesn’t have as often. No comparison finds fewer that differ, and to count
 * them takes a thousandth of its time.
 */
const countOwnLines = (from: string, to: string): number => {
  const balance = new Map<string, number>();
  for (const line of splitLines(from)) balance.set(line, (balance.get(line) ?? 0) + 1);
  for (const line of splitLines(to)) balance.set(line, (balance.get(line) ?? 0) - 1);
  let count = 0;
  for (const difference of balance.values()) count += Math.abs(difference);
  return count;
};

const cut = (text: string): string => text.slice(0, text.lastIndexOf('\n', maxDiffLength - 1) + 1);

const contextLines = 3;

/** Returns where the line begins that is `count` lines above the one at `index`. */
const findLineStart = (text: string, index: number, count: number): number => {
  let start = index;
  for (let up = 0; up <= count && start > 0; up++) {
    const before = up === 0 ? start - 1 : start - 2;
    start = before < 0 ? 0 : text.lastIndexOf('\n', before) + 1;
  }
  return start;
};

/** Returns where the line ends that is `count` lines below the one at `index`. */
const findLineEnd = (text: string, index: number, count: number): number => {
  let end = index;
  for (let down = 0; down <= count && end < text.length; down++) {
    end = text.indexOf('\n', end) + 1 || text.length;
  }
  return end;
};

/** Returns the lines of two texts without those that both begin and end with, except for the context of what differs. */
const trim = (from: string, to: string) => {
  const shortest = Math.min(from.length, to.length);
  let begin = 0;
  while (begin < shortest && from.charCodeAt(begin) === to.charCodeAt(begin)) begin++;
  let tail = 0;
  while (tail < shortest - begin && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
  const start = findLineStart(from, begin, contextLines);
  const end = findLineEnd(from, from.length - tail, contextLines);
  return {
    from: from.slice(start, end),
    to: to.slice(start, to.length - (from.length - end)),
    linesBefore: countLineEnds(from.slice(0, start)),
  };
};

/** From this length of both texts together, only the lines around what differs are compared. UTF-16 code units. */
const trimmedLength = 2 * maxDiffLength;

/** The most lines of a text that are compared: each takes memory. */
const maxLines = 400_000;

const isClose = (from: string, to: string): boolean =>
  Math.max(countLineEnds(from), countLineEnds(to)) < maxLines &&
  countOwnLines(from, to) <= bounds.maxEditLength;

/** Compares two texts by lines that end with LF or CRLF. */
const compareLines = (names: readonly [string, string], from: string, to: string): TextDiff => {
  if (from === to) return { diff: '', isCut: false };
  const options = { context: contextLines, ...bounds };
  const isTrimmed = from.length + to.length > trimmedLength;
  const compared = isTrimmed ? trim(from, to) : { from, to, linesBefore: 0 };
  const found = isClose(compared.from, compared.to)
    ? structuredPatch(...names, compared.from, compared.to, undefined, undefined, options)
    : undefined;
  const hunks = (found ?? replaceAll(compared.from, compared.to)).hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + compared.linesBefore,
    newStart: hunk.newStart + compared.linesBefore,
  }));
  const diff = formatPatch(
    { oldFileName: names[0], newFileName: names[1], oldHeader: '', newHeader: '', hunks },
    { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  );
  const isCut = diff.length > maxDiffLength;
  return { diff: isCut ? cut(diff) : diff, isCut };
};

/** A text with lines that end differently, or with CR, which the unified format doesn’t know. */
const isUnusual = (ends: LineEnds | undefined): boolean => ends === 'mixed' || ends === 'CR';

/**
 * Compares two texts by lines; the names are theirs. If they differ too much to find each difference within the bounds,
 * the diff replaces the whole text. A change of line endings is told apart, because every line would differ by it.
 */
export const compareTexts = (
  names: readonly [string, string],
  from: string,
  to: string,
): TextDiff => {
  const ends = { from: detectLineEnds(from), to: detectLineEnds(to) };
  const isChanged = ends.from !== undefined && ends.to !== undefined && ends.from !== ends.to;
  if (!isChanged && !isUnusual(ends.from) && !isUnusual(ends.to)) {
    return compareLines(names, from, to);
  }
  const compared = compareLines(names, toLf(from), toLf(to));
  const isOnlyEnds = compared.diff === '' && from !== to;
  const { from: before, to: after } = ends;
  if (!(isChanged || isOnlyEnds) || before === undefined || after === undefined) return compared;
  return { ...compared, lineEnds: { from: before, to: after } };
};
