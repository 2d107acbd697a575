import { isDeepStrictEqual } from 'node:util';
import { tableName } from './dynamodb.ts';
import type { Key } from './key.ts';
import { createItemWrite, type Write } from './transaction.ts';

interface Versioned {
  readonly version: number;
}

/**
 * Creates the write that replaces a record `before` by `after` (`undefined` to delete it), on condition that it still
 * has the expected version or, if new, does not exist (decisions.md#concurrency).
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

/** Returns the record after a change of fields. `undefined` removes a field. */
export const nextVersion = <Stored extends Versioned>(
  seen: Stored,
  fields: { readonly [F in keyof Stored]?: Stored[F] | undefined },
): Stored => ({
  ...seen,
  ...fields,
  updatedAt: new Date().toISOString(),
  version: seen.version + 1,
});

/** Returns whether two versions of a record are equal except for version and time. */
export const isSameRecord = <Stored extends Versioned>(before: Stored, after: Stored): boolean => {
  const fieldsOf = (record: Stored) =>
    Object.fromEntries(
      Object.entries({ ...record, version: undefined, updatedAt: undefined }).filter(
        ([, value]) => value !== undefined,
      ),
    );
  return isDeepStrictEqual(fieldsOf(before), fieldsOf(after));
};
