import { formatPatch, type StructuredPatch, structuredPatch } from 'diff';

/**
 * Bounds of a comparison (decisions.md#revisions): ms of CPU time, and lines that differ. It takes about 1 s to find 4,000
 * of them.
 */
const bounds = { timeout: 1_000, maxEditLength: 4_000 };

/** The length from which a diff is cut, in UTF-16 code units. */
export const maxDiffLength = 1024 * 1024;

const noNewline = '\\ No newline at end of file';

/** A comparison of two texts. */
export interface TextDiff {
  /** In the unified format, with three lines of context. Empty if the texts are the same. */
  readonly diff: string;
  /** Whether its end is missing, because it is too long. */
  readonly isCut: boolean;
}

/** Marks each line of a text. */
const mark = (text: string, sign: '-' | '+'): string[] => {
  const lines = text.split('\n').map((line) => sign + line);
  return text.endsWith('\n') ? lines.slice(0, -1) : [...lines, noNewline];
};

const countLines = (lines: readonly string[]): number =>
  lines.length - (lines.at(-1) === noNewline ? 1 : 0);

/**
 * Describes texts with too many differences: the one is replaced by the other. Made without the library, which takes
 * over 1 s for texts of 2 MB with short lines.
 */
const replaceAll = (from: string, to: string): Pick<StructuredPatch, 'hunks'> => {
  const [removed, added] = [mark(from, '-'), mark(to, '+')];
  const [oldLines, newLines] = [countLines(removed), countLines(added)];
  return {
    hunks: [{ oldStart: 1, oldLines, newStart: 1, newLines, lines: [...removed, ...added] }],
  };
};

const cut = (text: string): string => text.slice(0, text.lastIndexOf('\n', maxDiffLength - 1) + 1);

/**
 * Compares two texts by lines; the names are theirs. If they differ too much to find each difference within the bounds,
 * the diff replaces the whole text.
 */
export const compareTexts = (
  names: readonly [string, string],
  from: string,
  to: string,
): TextDiff => {
  if (from === to) return { diff: '', isCut: false };
  const options = { context: 3, ...bounds };
  const found = structuredPatch(...names, from, to, undefined, undefined, options);
  const { hunks } = found ?? replaceAll(from, to);
  const diff = formatPatch(
    { oldFileName: names[0], newFileName: names[1], oldHeader: '', newHeader: '', hunks },
    { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  );
  const isCut = diff.length > maxDiffLength;
  return { diff: isCut ? cut(diff) : diff, isCut };
};
