import { type AttributeValue, getAttribute, type Item } from '../values/attribute-value.ts';
import { areEqual, compareValues } from '../values/compare.ts';
import { measureValue } from '../values/item-size.ts';
import type { Comparator, Condition } from './condition.ts';
import { type Bindings, type Operand, type Path, resolvePath } from './operands.ts';

/** Returns the value at a path, if it exists. */
export const readPath = (
  item: Item,
  path: Path,
  bindings: Bindings,
): AttributeValue | undefined => {
  let value: AttributeValue | undefined = { M: item };
  for (const part of resolvePath(path, bindings)) {
    if (typeof part === 'number') value = value.L?.[part];
    else value = value.M && getAttribute(value.M, part);
    if (!value) return undefined;
  }
  return value;
};

/** Returns the size as the function `size` does: characters of texts, bytes of binary, elements of others. */
const sizeOf = (value: AttributeValue): number | undefined => {
  if (value.S !== undefined) return Buffer.byteLength(value.S);
  if (value.B !== undefined) return measureValue(value);
  const elements = value.SS ?? value.NS ?? value.BS ?? value.L;
  return elements ? elements.length : value.M && Object.keys(value.M).length;
};

const readOperand = (
  operand: Operand,
  item: Item,
  bindings: Bindings,
): AttributeValue | undefined => {
  switch (operand.kind) {
    case 'path':
      return readPath(item, operand.path, bindings);
    case 'value':
      return bindings.values[operand.name];
    case 'call': {
      const value = readOperand(operand.args[0] as Operand, item, bindings);
      const size = value && sizeOf(value);
      return size === undefined ? undefined : { N: String(size) };
    }
  }
};

const compare = (
  operator: Comparator,
  left: AttributeValue | undefined,
  right: AttributeValue | undefined,
): boolean => {
  if (operator === '<>') return !left || !right || !areEqual(left, right);
  if (!left || !right) return false;
  if (operator === '=') return areEqual(left, right);
  const order = compareValues(left, right);
  if (order === undefined) return false;
  if (operator === '<') return order < 0;
  if (operator === '<=') return order <= 0;
  return operator === '>' ? order > 0 : order >= 0;
};

const beginsWith = (value: AttributeValue, prefix: AttributeValue): boolean => {
  if (value.S !== undefined) return prefix.S !== undefined && value.S.startsWith(prefix.S);
  if (value.B === undefined || prefix.B === undefined) return false;
  const start = Buffer.from(prefix.B, 'base64');
  return Buffer.from(value.B, 'base64').subarray(0, start.length).equals(start);
};

const contains = (value: AttributeValue, part: AttributeValue): boolean => {
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S);
  if (value.B !== undefined) {
    return part.B !== undefined && Buffer.from(value.B, 'base64').includes(part.B, 0, 'base64');
  }
  if (value.SS) return part.S !== undefined && value.SS.includes(part.S);
  if (value.NS) return part.N !== undefined && value.NS.includes(part.N);
  if (value.BS) return part.B !== undefined && value.BS.includes(part.B);
  return value.L?.some((element) => areEqual(element, part)) ?? false;
};

const call = (
  name: string,
  first: AttributeValue | undefined,
  second: AttributeValue | undefined,
): boolean => {
  if (name === 'attribute_exists') return first !== undefined;
  if (name === 'attribute_not_exists') return first === undefined;
  if (!first || !second) return false;
  if (name === 'attribute_type') return second.S !== undefined && second.S in first;
  return name === 'begins_with' ? beginsWith(first, second) : contains(first, second);
};

/** Returns whether an item fulfills a condition. A missing item has no attributes. */
export const isFulfilled = (condition: Condition, item: Item, bindings: Bindings): boolean => {
  if ('parts' in condition) {
    const fits = (part: Condition) => isFulfilled(part, item, bindings);
    return condition.kind === 'and' ? condition.parts.every(fits) : condition.parts.some(fits);
  }
  if (condition.kind === 'not') return !isFulfilled(condition.part, item, bindings);
  const [first, second, third] = condition.args.map((arg) => readOperand(arg, item, bindings));
  if (condition.kind === 'compare') return compare(condition.operator, first, second);
  if (condition.kind === 'between')
    return compare('>=', first, second) && compare('<=', first, third);
  if (condition.kind === 'call') return call(condition.name, first, second);
  return condition.args
    .slice(1)
    .some((arg) => compare('=', first, readOperand(arg, item, bindings)));
};
