import { pattern } from './pattern.ts';

/** Invisible characters within words: soft hyphens, joiners and variation selectors. */
const unseen = pattern(String.raw`[\u00ad\p{Join_Control}\p{Variation_Selector}]`, 'gu');

/**
 * Accents, points and vowel signs that people often omit. In kana, Indic and Thai scripts such marks change the letter.
 */
const accents = pattern(
  String.raw`(?![\u3099\u309a])(?=\p{Mn})[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]`,
  'gu',
);

/** Letters that Unicode does not decompose, as typed on keyboards without them. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
};
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/**
 * Converts text to the form by which it is found and sorted: texts that differ only in case, accents or composition become
 * equal. `ß` becomes `ss`, `ø` `o`, `ł` `l`, and all four Turkish letters `i`. Idempotent.
 */
export const fold = (text: string): string =>
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

/** Returns whether a text contains every word of a search, anywhere, and folded as in the service’s own searches. */
export const containsWords = (text: string, search: string): boolean => {
  const searched = fold(text);
  return fold(search)
    .split(/\s+/)
    .every((word) => searched.includes(word));
};
