import { invalidParameter, requestError, validationError } from '../service-error.ts';
import { normalizeNumber } from './number.ts';

/** A value in DynamoDB's JSON: one type and its content, binary as base64. */
export interface AttributeValue {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
  readonly L?: readonly AttributeValue[];
  readonly M?: Item;
}

export type Item = Readonly<Record<string, AttributeValue>>;

export type AttributeType = keyof AttributeValue;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const MAX_DEPTH = 32;

const malformed = (message: string) => requestError(400, 'SerializationException', message);

const asText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  throw malformed(`${(typeof content).toUpperCase()}_VALUE cannot be converted to String`);
};

const asBoolean = (content: unknown): boolean => {
  if (typeof content === 'boolean') return content;
  throw malformed('Unexpected token received from parser');
};

/** Clients of this process pass bytes, others base64. */
const asBase64 = (content: unknown): string => {
  if (content instanceof Uint8Array) {
    return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64');
  }
  if (typeof content !== 'string') {
    throw malformed('only base-64-encoded strings are convertible to bytes');
  }
  if (Buffer.from(content, 'base64').toString('base64') === content) return content;
  throw malformed('Invalid Base64 in the value of a binary attribute');
};

const asList = (content: unknown): unknown[] => {
  if (Array.isArray(content)) return content;
  throw malformed('Unexpected field type');
};

const asSet = (
  content: unknown,
  read: (element: unknown) => string,
  empty: string,
  duplicates: (values: string[]) => Error,
): string[] => {
  const values = asList(content).map(read);
  if (values.length === 0) throw invalidParameter(empty);
  if (new Set(values).size < values.length) throw duplicates(values);
  return values;
};

const duplicatesIn = (type: string) => (values: string[]) =>
  invalidParameter(`Input collection [${values.join(', ')}]${type} contains duplicates.`);

const readers: Record<string, (content: unknown, depth: number) => AttributeValue> = {
  S: (content) => ({ S: asText(content) }),
  N: (content) => ({ N: normalizeNumber(asText(content)) }),
  B: (content) => ({ B: asBase64(content) }),
  BOOL: (content) => ({ BOOL: asBoolean(content) }),
  NULL: (content) => {
    if (asBoolean(content)) return { NULL: true };
    throw invalidParameter('Null attribute value types must have the value of true');
  },
  SS: (content) => ({
    SS: asSet(content, asText, 'An string set  may not be empty', duplicatesIn('')),
  }),
  NS: (content) => ({
    NS: asSet(
      content,
      (element) => normalizeNumber(asText(element)),
      'An number set  may not be empty',
      () => validationError('Input collection contains duplicates'),
    ),
  }),
  BS: (content) => ({
    BS: asSet(content, asBase64, 'Binary sets should not be empty', duplicatesIn('of type BS')),
  }),
  L: (content, depth) => ({ L: asList(content).map((element) => readValue(element, depth + 1)) }),
  M: (content, depth) => ({ M: readItem(content, depth + 1) }),
};

/**
 * Checks a value and returns it in normal form.
 * @throws ServiceError for an invalid value
 */
export const readValue = (value: unknown, depth = 0): AttributeValue => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('Unexpected value type in payload');
  }
  if (depth > MAX_DEPTH) {
    throw validationError(
      'Nesting Levels have exceeded supported limits: Attributes have exceeded nesting levels',
    );
  }
  let result: AttributeValue | undefined;
  for (const [type, content] of Object.entries(value)) {
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
    if (!read || content === undefined || content === null) continue;
    if (result) {
      throw validationError(
        'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
      );
    }
    result = read(content, depth);
  }
  if (result) return result;
  throw validationError(
    'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
  );
};

/** Checks a map of values, omitting absent ones. */
export const readItem = (map: unknown, depth = 0): Item => {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) {
    throw malformed('Unexpected field type');
  }
  // Unlike an assignment, this keeps an attribute that is named __proto__.
  return Object.fromEntries(
    Object.entries(map)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, readValue(value, depth)]),
  );
};

export const getType = (value: AttributeValue): AttributeType =>
  Object.keys(value)[0] as AttributeType;

/** Returns an attribute of an item; names such as `constructor` have no other meaning. */
export const getAttribute = (item: Item, name: string): AttributeValue | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;
