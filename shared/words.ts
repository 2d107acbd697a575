/** A search and an index take no more words than these; a change of all of them has to fit into one transaction. */
const maxIndexed = 40;
const maxAsked = 10;

/** What is past this of a word isn't looked at: NFKC can make it longer than a key may be. */
const maxCharacters = 200;

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    // A capital sigma becomes another small one at the end of a word, which need not be that of a search.
    .replaceAll('ς', 'σ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => [...word].slice(0, maxCharacters).join(''));

/** The words of some texts, each once, in small letters: split at every character that is no letter or digit. */
export const wordsOf = (...texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(split))].slice(0, maxIndexed);

/** The words of a search, the longest first: it matches least. */
export const wordsOfSearch = (search: string): string[] =>
  [...new Set(split(search))].sort((a, b) => b.length - a.length).slice(0, maxAsked);
