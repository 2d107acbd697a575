/** A search and an index take no more words than these; a change of all of them has to fit into one transaction. */
const maxIndexed = 40;
const maxAsked = 10;

/** What is past this of a word isn't looked at: NFKC can make it longer than a key may be. */
const maxCharacters = 200;

/** A letter or digit, and what follows of its kind; vowels and accents of many scripts are marks upon letters. */
const wholeWords = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** They stand within words and only say how letters are drawn: soft hyphens, joiners and variation selectors. */
const unseen = /[\u00ad\p{Join_Control}\p{Variation_Selector}]/gu;

/** Accents, points and vowel signs that people leave out. Those of kana and of Indic and Thai scripts make other letters. */
const accents =
  /[[\p{Mn}&&[\p{Script=Inherited}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u3099\u309a]]/gv;

/** Letters that Unicode doesn't take apart, as those type them who have no such key. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ø: 'o', đ: 'd', ð: 'd', ł: 'l', ħ: 'h', ŧ: 't' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
};
const specialLetters = new RegExp(`[${Object.keys(plainLetters).join('')}]`, 'gu');

/** Brings what differs only in case, in accents or in how it is composed to one form. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(unseen, '')
    // ß is SS in capitals, and ẞ is ß in small letters.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .replace(specialLetters, (letter) => plainLetters[letter] ?? letter)
    // A capital sigma becomes another small one at the end of a word, which need not be that of a search.
    .replaceAll('ς', 'σ')
    .normalize('NFKC');

const split = (text: string): string[] =>
  (fold(text).match(wholeWords) ?? []).map((word) => [...word].slice(0, maxCharacters).join(''));

/** The words of some texts, each once, in small letters without accents: split at every character that is no part of a letter or digit. */
export const tokenize = (...texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(split))].slice(0, maxIndexed);

/** The words of a search, the longest first: mostly it matches least. */
export const tokenizeQuery = (search: string): string[] =>
  [...new Set(split(search))].sort((a, b) => b.length - a.length).slice(0, maxAsked);

/** Normalized, a name can be longer than a key may be. */
const maxSortCharacters = 240;

/** What a user's name sorts by, whatever its case. */
export const toSortName = (name: string): string => {
  const text = [...name.normalize('NFKC').toLowerCase()].slice(0, maxSortCharacters).join('');
  // Ends it below every character: what follows in the key would sort "ann b" before "ann".
  return `${text}\u0000`;
};
