import { isDeepStrictEqual } from 'node:util';
import { tableName } from './dynamodb.ts';
import type { Key } from './table.ts';
import { createItemWrite, type Write } from './transaction.ts';

interface Versioned {
  readonly version: number;
}

/**
 * The write that brings a record from `before`, as it was seen, to the item `after` (`undefined`: there is none), with the
 * condition that it is still of that version, or not there where it is new (decisions.md#concurrency).
 */
export const writeVersion = (
  key: Key,
  before: Versioned | undefined,
  after: object | undefined,
): Write | undefined => {
  if (!before) return after && createItemWrite(key, after);
  const isUnchanged = {
    TableName: tableName(),
    ConditionExpression: 'attribute_exists(pk) AND version = :seen',
    ExpressionAttributeValues: { ':seen': before.version },
  };
  return after
    ? { Put: { ...isUnchanged, Item: { ...after, ...key } } }
    : { Delete: { ...isUnchanged, Key: key } };
};

/** The record as it is after a change of these fields, `undefined` for those that are to go. */
export const nextVersion = <Stored extends Versioned>(
  seen: Stored,
  fields: { readonly [F in keyof Stored]?: Stored[F] | undefined },
): Stored => ({
  ...seen,
  ...fields,
  updatedAt: new Date().toISOString(),
  version: seen.version + 1,
});

/** Are two versions of a record the same but for version and time? What is `undefined` is not there. */
export const isSameRecord = <Stored extends Versioned>(before: Stored, after: Stored): boolean => {
  const fieldsOf = (record: Stored) =>
    Object.fromEntries(
      Object.entries({ ...record, version: undefined, updatedAt: undefined }).filter(
        ([, value]) => value !== undefined,
      ),
    );
  return isDeepStrictEqual(fieldsOf(before), fieldsOf(after));
};
