import { type AttributeValue, getAttribute, getType } from './attribute-value.ts';
import { compareNumbers } from './number.ts';

const SURROGATE = /[\ud800-\udfff]/;

/** Compares texts by their bytes in UTF-8. */
const compareTexts = (left: string, right: string): number => {
  // UTF-16 has the same order except for surrogates.
  if (SURROGATE.test(left) || SURROGATE.test(right)) {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
};

/** Compares two texts, numbers or binary values; undefined for other or different types. */
export const compareValues = (left: AttributeValue, right: AttributeValue): number | undefined => {
  if (left.S !== undefined && right.S !== undefined) return compareTexts(left.S, right.S);
  if (left.N !== undefined && right.N !== undefined) return compareNumbers(left.N, right.N);
  if (left.B !== undefined && right.B !== undefined) {
    return Buffer.compare(Buffer.from(left.B, 'base64'), Buffer.from(right.B, 'base64'));
  }
  return undefined;
};

const areEqualSets = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && new Set([...left, ...right]).size === left.length;

/** Returns whether values in normal form have the same type and content. */
export const areEqual = (left: AttributeValue, right: AttributeValue): boolean => {
  const type = getType(left);
  if (type !== getType(right)) return false;
  if (left.L && right.L) {
    const others = right.L;
    return (
      left.L.length === others.length &&
      left.L.every((value, at) => areEqual(value, others[at] as AttributeValue))
    );
  }
  if (left.M && right.M) {
    const others = right.M;
    const entries = Object.entries(left.M);
    return (
      entries.length === Object.keys(others).length &&
      entries.every(([name, value]) => {
        const other = getAttribute(others, name);
        return other !== undefined && areEqual(value, other);
      })
    );
  }
  const [a, b] = [left[type], right[type]];
  return Array.isArray(a) ? areEqualSets(a, b as readonly string[]) : a === b;
};
