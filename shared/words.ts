/** A search and an index take no more words than these; a change of all of them has to fit into one transaction. */
const maxIndexed = 40;
const maxAsked = 10;

const split = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words of some texts, each once, in small letters: split at every character that is no letter or digit. */
export const wordsOf = (...texts: readonly string[]): string[] =>
  [...new Set(texts.flatMap(split))].slice(0, maxIndexed);

/** The words of a search, the longest first: it matches least. */
export const wordsOfSearch = (search: string): string[] =>
  [...new Set(split(search))].sort((a, b) => b.length - a.length).slice(0, maxAsked);
