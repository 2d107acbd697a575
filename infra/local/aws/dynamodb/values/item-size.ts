import type { AttributeValue, Item } from './attribute-value.ts';
import { countDigits } from './number.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_ITEM_BYTES = 400 * 1024;

const sum = <T>(values: readonly T[], measure: (value: T) => number): number => {
  let total = 0;
  for (const value of values) total += measure(value);
  return total;
};

const binaryBytes = (base64: string): number => Buffer.byteLength(base64, 'base64');

/** Returns the size of a number: a byte for each two significant digits, one for the exponent, one for a minus. */
const numberBytes = (number: string): number =>
  Math.ceil(countDigits(number) / 2) + 1 + (number.startsWith('-') ? 1 : 0);

/** Returns the size of a value without its name. */
export const measureValue = (value: AttributeValue): number => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.N !== undefined) return numberBytes(value.N);
  if (value.B !== undefined) return binaryBytes(value.B);
  if (value.SS) return sum(value.SS, Buffer.byteLength);
  if (value.NS) return sum(value.NS, numberBytes);
  if (value.BS) return sum(value.BS, binaryBytes);
  if (value.L) return 3 + sum(value.L, (element) => 1 + measureValue(element));
  if (value.M) return 3 + Object.keys(value.M).length + measureItem(value.M);
  return 1;
};

/**
 * Returns the size of an item in bytes as AWS counts it: names and values, text in UTF-8.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const measureItem = (item: Item): number => {
  let total = 0;
  for (const [name, value] of Object.entries(item)) {
    total += Buffer.byteLength(name) + measureValue(value);
  }
  return total;
};
