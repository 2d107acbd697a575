import { fold } from '../text/fold.ts';
import { pattern } from '../text/pattern.ts';

/** Maximum number of words of a search or a record, because a change of all of them must fit into one transaction. */
const maxIndexed = 40;
const maxAsked = 10;

/** Maximum length of a word in an index, because NFKC may make it longer than a key allows. */
const maxCharacters = 200;

/** A letter or digit and everything up to the next separator. In many scripts vowels and accents are marks. */
const wholeWords = pattern(String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}]*`, 'gu');

/** The scripts of Chinese, Japanese and Korean, which write words without spaces, or with endings. */
const eastAsian = ['Han', 'Hiragana', 'Katakana', 'Hangul']
  .map((script) => String.raw`\p{Script_Extensions=${script}}`)
  .join('');

/** The parts of a word: its runs of such characters, and of others. */
const parts = pattern(
  String.raw`(?:(?=[\p{L}\p{N}])[${eastAsian}]\p{M}*)+|(?:(?!(?=[\p{L}\p{N}])[${eastAsian}]).)+`,
  'gsu',
);

/** A character of such a run with its marks. */
const characters = pattern(String.raw`\P{M}\p{M}*`, 'gu');

const isEastAsian = pattern(`^[${eastAsian}]`, 'u');

/** Returns each two neighbours. One character alone is its own. */
const toPairs = (run: string): string[] => {
  const all = run.match(characters()) ?? [];
  return all.length < 2 ? all : all.slice(1).map((next, at) => `${all[at]}${next}`);
};

/** Splits texts at what is no letter or digit, and Chinese, Japanese and Korean into pairs; `ofRun` splits such a run. */
const split = (text: string, ofRun: (run: string) => readonly string[]): string[] =>
  (fold(text).match(wholeWords()) ?? [])
    .flatMap((word) => word.match(parts()) ?? [])
    .flatMap((part) => (isEastAsian().test(part) ? ofRun(part) : [part]))
    .map((word) => [...word].slice(0, maxCharacters).join(''));

/** The last character of a run begins no pair, so it is a word of its own. */
const toStored = (run: string): readonly string[] => [
  ...new Set([...toPairs(run), ...(run.match(characters()) ?? []).slice(-1)]),
];

const listWords = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => split(text, toStored))),
];

/**
 * Splits texts into distinct normalized words, the first 40: at every character that is no letter or digit, and Chinese,
 * Japanese and Korean into each two neighbouring characters (decisions.md#lists).
 */
export const tokenize = (...texts: readonly string[]): string[] =>
  listWords(texts).slice(0, maxIndexed);

/** Joins the words of texts for a filter by `contains`, each after a space: the first that fit into a number of bytes. */
export const joinWords = (texts: readonly string[], maxBytes: number): string => {
  let joined = '';
  for (const word of listWords(texts)) {
    if (Buffer.byteLength(joined) + 1 + Buffer.byteLength(word) > maxBytes) break;
    joined += ` ${word}`;
  }
  return joined;
};

/**
 * Returns the beginning of a text with so many words at most, and so many UTF-16 code units. Of Chinese, Japanese and Korean, each
 * character counts as a word.
 */
export const cutWords = (text: string, maxWords: number, maxLength: number): string => {
  const start = text.slice(0, maxLength);
  let words = 0;
  for (const { 0: word, index } of start.matchAll(wholeWords())) {
    if (words >= maxWords) return start.slice(0, index);
    words += isEastAsian().test(word) ? [...word].length : 1;
  }
  return start;
};

/** Splits a search into words, longest first, because they usually match least. */
export const tokenizeQuery = (search: string): string[] =>
  [...new Set(split(search, toPairs))].sort((a, b) => b.length - a.length).slice(0, maxAsked);

/** Returns whether texts have words that start with each of those of a search. */
export const haveWords = (texts: readonly string[], asked: readonly string[]): boolean => {
  const words = listWords(texts);
  return asked.every((prefix) => words.some((word) => word.startsWith(prefix)));
};
