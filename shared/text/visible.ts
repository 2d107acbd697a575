import { pattern } from './pattern.ts';

/**
 * What a terminal obeys or hides: control characters (C0 except tabs and line breaks, DEL, C1), line and paragraph separators,
 * and marks that change the order of text. A return before a line break is part of it.
 */
const obeyed = pattern(
  String.raw`\r(?!\n)|[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]`,
  'g',
);

/** The same, and what ends a line or moves to a column. */
const obeyedInLine = pattern(String.raw`[\n\r\t]|${obeyed().source}`, 'g');

const toHex = (character: string, digits: number): string =>
  character.charCodeAt(0).toString(16).padStart(digits, '0');

const escapeOne = (character: string): string =>
  character < '\u0100' ? `\\x${toHex(character, 2)}` : `\\u${toHex(character, 4)}`;

/** Returns a text as a terminal may show it: `\x1b` and the like for what it would obey. */
export const toVisible = (text: string): string => text.replace(obeyed(), escapeOne);

/** Returns a text as a terminal may show it within a line. */
export const toVisibleLine = (text: string): string => text.replace(obeyedInLine(), escapeOne);

/** Returns JSON of the same value as a terminal may show it. */
export const toVisibleJson = (json: string): string =>
  json.replace(obeyed(), (character) => `\\u${toHex(character, 4)}`);
