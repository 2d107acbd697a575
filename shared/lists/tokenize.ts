import { pattern } from '../text/pattern.ts';

/** Maximum number of words of a search or a record, because a change of all of them must fit into one transaction. */
const maxIndexed = 40;
const maxAsked = 10;

/** Maximum length of a word in an index, because NFKC may make it longer than a key allows. */
const maxCharacters = 200;

/** A letter or digit and everything up to the next separator. In many scripts vowels and accents are marks. */
const wholeWords = pattern(String.raw`[\p{L}\p{N}][\p{L}\p{M}\p{N}]*`, 'gu');

/** Invisible characters within words: soft hyphens, joiners and variation selectors. */
const unseen = pattern(String.raw`[\u00ad\p{Join_Control}\p{Variation_Selector}]`, 'gu');

/**
 * Accents, points and vowel signs that people often omit. In kana, Indic and Thai scripts such marks change the letter.
 */
const accents = pattern(
  String.raw`[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]`,
  'gv',
);

/** Letters that Unicode does not decompose, as typed on keyboards without them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
};
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** Normalizes case, accents and composition. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(unseen(), '')
    // ß is SS in capitals, and ẞ is ß in lower case.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents(), '')
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    // Capital sigma becomes another lower-case letter at the end of a word, where a search may not end.
    .replaceAll('ς', 'σ')
    .normalize('NFKC');

const split = (text: string): string[] =>
  (fold(text).match(wholeWords()) ?? []).map((word) => [...word].slice(0, maxCharacters).join(''));

/** Splits texts into distinct normalized words at every character that is no letter or digit. */
export const tokenize = (...texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(split))].slice(0, maxIndexed);

/** Splits a search into words, longest first, because they usually match least. */
export const tokenizeQuery = (search: string): string[] =>
  [...new Set(split(search))].sort((a, b) => b.length - a.length).slice(0, maxAsked);

/** A normalized name may be longer than a key allows. */
const maxSortCharacters = 240;

/** Converts a name to text that sorts regardless of case. */
export const toSortName = (name: string): string => {
  const text = [...name.normalize('NFKC').toLowerCase()].slice(0, maxSortCharacters).join('');
  // A terminator, because the rest of the key would otherwise sort "ann b" before "ann".
  return `${text}\u0000`;
};
