import { useMemo } from 'preact/hooks';
import { fold } from '../../../../shared/text/fold.ts';

/** A letter or digit and everything up to the next separator, as the service’s own searches split texts. */
const words = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Chinese, Japanese and Korean are found within a word, too. */
const eastAsian = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;

/** Splits a search into its words. */
export const splitSearch = (search: string): readonly string[] => fold(search).match(words) ?? [];

/** Returns how many characters of a word are as many of the folded word. */
const measure = (word: string, folded: number): number => {
  // Folding changes lengths: ß is two letters.
  for (let length = 1; length < word.length; length += 1) {
    if (fold(word.slice(0, length)).length >= folded) return length;
  }
  return word.length;
};

type Mark = readonly [start: number, end: number];

/** Finds the beginnings of words of a text that are those of a search. */
export const findMarks = (text: string, searched: readonly string[]): readonly Mark[] => {
  const all = fold(text);
  if (!searched.some((one) => all.includes(one))) return [];
  return [...text.matchAll(words)].flatMap(({ 0: word, index }): readonly Mark[] => {
    const folded = fold(word);
    const start = searched.find((one) => folded.startsWith(one));
    if (start !== undefined) return [[index, index + measure(word, start.length)]];
    const within = searched.find((one) => eastAsian.test(one) && folded.includes(one));
    if (within === undefined) return [];
    const at = index + folded.indexOf(within);
    return [[at, at + within.length]];
  });
};

interface MarkedProps {
  readonly text: string;
  /** As `splitSearch` returns them. */
  readonly searched: readonly string[];
}

/** A text in which what a search has found is marked. */
export const Marked = ({ text, searched }: MarkedProps) => {
  const marks = useMemo(() => findMarks(text, searched), [text, searched]);
  return (
    <>
      {marks.map(([start, end], at) => [
        text.slice(marks[at - 1]?.[1] ?? 0, start),
        <mark key={start}>{text.slice(start, end)}</mark>,
      ])}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  );
};
