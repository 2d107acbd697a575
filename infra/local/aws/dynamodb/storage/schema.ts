import { invalidParameter, validationError } from '../service-error.ts';
import {
  type AttributeValue,
  getAttribute,
  getType,
  type Item,
} from '../values/attribute-value.ts';
import { measureValue } from '../values/item-size.ts';

export interface KeyAttribute {
  readonly name: string;
}

/** The partition key, and the sort key if there is one. */
export type KeyAttributes = readonly KeyAttribute[];

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface IndexDescription {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: { readonly ProjectionType: 'ALL' };
}

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: 'S';
}

/** The part of a table's description that requests set. */
export interface TableSchema {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly KeySchema: readonly KeySchemaElement[];
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
}

export const toKeyAttributes = (schema: readonly KeySchemaElement[]): KeyAttributes =>
  schema.map(({ AttributeName: name }) => ({ name }));

/** Returns the column of a key's value, which is a text. Its order is the order of the values. */
export const toColumn = ({ S = '' }: AttributeValue): string => S;

/** Returns the columns of a complete key; a missing sort key is empty. */
export const toColumns = (keys: KeyAttributes, item: Item): [string, string] => {
  const [hash, range] = keys.map(({ name }) => toColumn(getAttribute(item, name) ?? {}));
  return [hash ?? '', range ?? ''];
};

/** Returns the least text after all that begin with a prefix; undefined if there is none. */
export const afterPrefix = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (letter) => letter.codePointAt(0) ?? 0);
  const end = points.findLastIndex((point) => point < 0x10ffff);
  if (end === -1) return undefined;
  const next = (points[end] as number) + 1;
  // Surrogates are not characters.
  return String.fromCodePoint(...points.slice(0, end), next === 0xd800 ? 0xe000 : next);
};

const MAX_HASH_BYTES = 2048;
const MAX_RANGE_BYTES = 1024;

const assertKeyLength = ({ name }: KeyAttribute, value: AttributeValue, at: number): void => {
  const bytes = measureValue(value);
  if (bytes === 0) {
    throw validationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`,
    );
  }
  if (bytes <= (at === 0 ? MAX_HASH_BYTES : MAX_RANGE_BYTES)) return;
  throw invalidParameter(
    at === 0
      ? 'Size of hashkey has exceeded the maximum size limit of2048 bytes'
      : 'Aggregated size of all range keys has exceeded the size limit of 1024 bytes',
  );
};

/** Rejects a key that does not have exactly the attributes of the schema. */
export const assertKey = (keys: KeyAttributes, key: Item): void => {
  const fits = keys.every(({ name }) => getAttribute(key, name)?.S !== undefined);
  if (!fits || Object.keys(key).length !== keys.length) {
    throw validationError('The provided key element does not match the schema');
  }
  for (const [at, attribute] of keys.entries()) {
    assertKeyLength(attribute, key[attribute.name] as AttributeValue, at);
  }
};

/** Rejects an item without its primary key. */
export const assertPrimaryKey = (keys: KeyAttributes, item: Item): void => {
  for (const [at, attribute] of keys.entries()) {
    const { name } = attribute;
    const value = getAttribute(item, name);
    if (!value) {
      throw invalidParameter(`Missing the key ${name} in the item`);
    }
    if (value.S === undefined) {
      throw invalidParameter(`Type mismatch for key ${name} expected: S actual: ${getType(value)}`);
    }
    assertKeyLength(attribute, value, at);
  }
};

/** Rejects key attributes of an index that have another type or are empty; they may be missing. */
export const assertIndexKey = (index: string, keys: KeyAttributes, item: Item): void => {
  for (const { name } of keys) {
    const value = getAttribute(item, name);
    if (!value) continue;
    if (value.S === undefined) {
      throw invalidParameter(
        `Type mismatch for Index Key ${name} Expected: S Actual: ${getType(value)} IndexName: ${index}`,
      );
    }
    if (value.S === '') {
      throw validationError(
        `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
  }
};
