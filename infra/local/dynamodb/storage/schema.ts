import { invalidParameter, validationError } from '../service-error.ts';
import {
  type AttributeValue,
  getAttribute,
  getType,
  type Item,
} from '../values/attribute-value.ts';
import { measureValue } from '../values/item-size.ts';
import { encodeNumber } from '../values/number.ts';
import type { Column } from './database.ts';

export type KeyType = 'S' | 'N' | 'B';

export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

/** The partition key, and the sort key if there is one. */
export type KeyAttributes = readonly KeyAttribute[];

export interface KeySchemaElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

export interface Projection {
  readonly ProjectionType?: 'ALL' | 'KEYS_ONLY' | 'INCLUDE';
  readonly NonKeyAttributes?: readonly string[];
}

export interface Throughput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

export interface IndexDescription {
  readonly IndexName: string;
  readonly KeySchema: readonly KeySchemaElement[];
  readonly Projection: Projection;
  readonly ProvisionedThroughput?: Throughput;
}

export interface AttributeDefinition {
  readonly AttributeName: string;
  readonly AttributeType: KeyType;
}

/** The part of a table's description that requests set. */
export interface TableSchema {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly KeySchema: readonly KeySchemaElement[];
  readonly GlobalSecondaryIndexes?: readonly IndexDescription[];
  readonly LocalSecondaryIndexes?: readonly IndexDescription[];
}

export const toKeyAttributes = (
  schema: readonly KeySchemaElement[],
  definitions: readonly AttributeDefinition[],
): KeyAttributes =>
  schema.map(({ AttributeName: name }) => {
    const definition = definitions.find(({ AttributeName }) => AttributeName === name);
    return { name, type: definition?.AttributeType ?? 'S' };
  });

/** Returns the column of a key's value. Its order is the order of the values. */
export const toColumn = ({ S, N, B }: AttributeValue): Column =>
  N !== undefined ? encodeNumber(N) : B !== undefined ? Buffer.from(B, 'base64') : (S ?? '');

/** Returns the columns of a complete key; a missing sort key is empty. */
export const toColumns = (keys: KeyAttributes, item: Item): [Column, Column] => {
  const [hash, range] = keys.map(({ name }) => toColumn(getAttribute(item, name) ?? {}));
  return [hash ?? '', range ?? ''];
};

/** Returns the least column after all that begin with a prefix; undefined if there is none. */
export const afterPrefix = (prefix: Column): Column | undefined => {
  if (prefix instanceof Uint8Array) {
    const end = prefix.findLastIndex((byte) => byte < 255);
    if (end === -1) return undefined;
    return Buffer.from(prefix.map((byte, at) => (at === end ? byte + 1 : byte))).subarray(
      0,
      end + 1,
    );
  }
  const points = Array.from(String(prefix), (letter) => letter.codePointAt(0) ?? 0);
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
    const what = value.B === undefined ? 'string' : 'binary';
    throw validationError(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${what} value. Key: ${name}`,
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
  const fits = keys.every(({ name, type }) => getAttribute(key, name)?.[type] !== undefined);
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
    const { name, type } = attribute;
    const value = getAttribute(item, name);
    if (!value) {
      throw invalidParameter(`Missing the key ${name} in the item`);
    }
    if (value[type] === undefined) {
      throw invalidParameter(
        `Type mismatch for key ${name} expected: ${type} actual: ${getType(value)}`,
      );
    }
    assertKeyLength(attribute, value, at);
  }
};

/** Rejects key attributes of an index that have another type or are empty; they may be missing. */
export const assertIndexKey = (index: string, keys: KeyAttributes, item: Item): void => {
  for (const { name, type } of keys) {
    const value = getAttribute(item, name);
    if (!value) continue;
    if (value[type] === undefined) {
      throw invalidParameter(
        `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${getType(value)} IndexName: ${index}`,
      );
    }
    if (value.S === '' || value.B === '') {
      const what = value.B === undefined ? 'string' : 'binary';
      throw validationError(
        `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${what} value. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
  }
};
