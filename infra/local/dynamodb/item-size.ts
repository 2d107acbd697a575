import type { AttributeValue, Item } from './dynalite.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
export const MAX_ITEM_BYTES = 400 * 1024;

const sum = (sizes: number[]): number => sizes.reduce((total, size) => total + size, 0);

const textBytes = (text: unknown): number => Buffer.byteLength(String(text));

const binaryBytes = (base64: unknown): number => Buffer.byteLength(String(base64), 'base64');

/** Returns the size of a number: a byte for each two significant digits, one for the exponent, one for a minus. */
const numberBytes = (number: unknown): number => {
  const digits = String(number).replace(/e.*$/i, '').replace(/\D/g, '');
  const significant = digits.replace(/^0+/, '').replace(/0+$/, '').length;
  return Math.ceil(significant / 2) + 1 + (String(number).startsWith('-') ? 1 : 0);
};

const valueBytes = (value: AttributeValue): number => {
  const [type = '', content] = Object.entries(value)[0] ?? [];
  switch (type) {
    case 'S':
      return textBytes(content);
    case 'N':
      return numberBytes(content);
    case 'B':
      return binaryBytes(content);
    case 'SS':
      return sum((content as string[]).map(textBytes));
    case 'NS':
      return sum((content as string[]).map(numberBytes));
    case 'BS':
      return sum((content as string[]).map(binaryBytes));
    case 'L':
      return 3 + sum((content as AttributeValue[]).map((element) => 1 + valueBytes(element)));
    case 'M':
      return 3 + Object.keys(content as Item).length + measureItem(content as Item);
    default:
      return 1;
  }
};

/**
 * Returns the size of an item in bytes as AWS counts it: names and values, text in UTF-8.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html
 */
export const measureItem = (item: Item): number =>
  sum(Object.entries(item).map(([name, value]) => textBytes(name) + valueBytes(value)));
