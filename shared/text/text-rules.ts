import { pattern } from './pattern.ts';

/** A rule of a text, and what is wrong with one that breaks it, to follow the name of its field. */
export interface TextRule {
  readonly isMet: (text: string) => boolean;
  readonly message: string;
}

/** Unicode bidirectional controls, which display text in another order than it is stored. */
const bidiControls = /[\u202a-\u202e\u2066-\u2069]/;

/** Control characters and Unicode line and paragraph separators. */
const controls = pattern(String.raw`[\p{Cc}\u2028\u2029]`, 'u');

/** The rules of all texts of people. */
export const plainRules: readonly TextRule[] = [
  { isMet: (text) => text.isWellFormed(), message: 'must be well-formed Unicode' },
  {
    isMet: (text) => !bidiControls.test(text),
    message: 'must not contain bidirectional control characters',
  },
];

/** The rules of a single line. */
export const lineRules: readonly TextRule[] = [
  ...plainRules,
  {
    isMet: (text) => !controls().test(text),
    message: 'must be one line without control characters',
  },
];

/** Returns what is wrong with a line of at most `max` characters (UTF-16); `undefined` if nothing is. */
export const findLineProblem = (text: string, max: number): string | undefined =>
  text.length > max
    ? `must be at most ${max} characters`
    : lineRules.find(({ isMet }) => !isMet(text))?.message;
