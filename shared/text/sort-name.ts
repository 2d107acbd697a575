import { fold } from './fold.ts';
import { pattern } from './pattern.ts';

/** A folded name may be longer than a key allows. */
const maxCharacters = 240;

const numbers = pattern('[0-9]+', 'g');

/** Writes a number so that text sorts it by value: the number of its digits goes first. */
const toSortNumber = (digits: string): string => {
  const significant = digits.replace(/^0+(?=.)/, '');
  const { length } = significant;
  return `${length < 9 ? length : `9${String(length).padStart(3, '0')}`}${significant}`;
};

/**
 * Converts a name to text that sorts as people expect, compared character by character: without regard to case and accents,
 * and numbers by value, so `file 2` is before `File 10` and `Émile` before `Fred`. Names that are equal so give equal text.
 */
export const toSortName = (name: string): string => {
  const text = fold(name).replace(numbers(), toSortNumber);
  // A terminator, because the rest of a key would otherwise sort "ann b" before "ann".
  return `${[...text].slice(0, maxCharacters).join('')}\u0000`;
};

/** Compares names as the service’s lists sort them. */
export const compareNames = (one: string, other: string): number => {
  const [left, right] = [toSortName(one), toSortName(other)];
  return left < right ? -1 : Number(left > right);
};
