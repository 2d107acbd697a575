import { batchDelete } from '../db/batch-delete.ts';
import { conditionalPut } from '../db/conditional-write.ts';
import { tableName } from '../db/dynamodb.ts';
import type { Key } from '../db/key.ts';
import type { Write } from '../db/transaction.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getLogger } from '../runtime/telemetry.ts';
import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { deleteObject, deleteObjects } from './bucket.ts';
import { storageKeys } from './keys.ts';

/*
 * S3 objects and DynamoDB records can't be written in one transaction. To leave no orphans, an upload schedules the
 * deletion of its object first, and the transaction that writes the record cancels it. The transaction that deletes
 * the record schedules the deletion again.
 */

/** Longer than any request runs: an object without a record by then never gets one. */
const uploadGraceMs = 60 * 60_000;

/** The scheduled deletion of an S3 object. */
export interface ScheduledDeletion {
  /** ISO 8601. */
  readonly at: string;
  readonly key: string;
}

/** Schedules the deletion of an object that is about to be uploaded. */
export const scheduleDeletion = async (key: string): Promise<ScheduledDeletion> => {
  const deletion = { at: new Date(Date.now() + uploadGraceMs).toISOString(), key };
  await conditionalPut({
    Item: { ...storageKeys.deletion.at({ at: deletion.at, key }), key },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return deletion;
};

/** Creates the write that cancels a deletion, for the transaction that writes the record. */
export const cancelDeletionWrite = ({ at, key }: ScheduledDeletion): Write => ({
  Delete: {
    TableName: tableName(),
    Key: storageKeys.deletion.at({ at, key }),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** Creates the write that schedules a deletion (ISO 8601), for the transaction that deletes the record. */
export const scheduleDeletionWrite = (key: string, at = new Date().toISOString()): Write => ({
  Put: { TableName: tableName(), Item: { ...storageKeys.deletion.at({ at, key }), key } },
});

/** Deletes an object ahead of its scheduled deletion, which covers a failure. */
export const tryDelete = async (key: string): Promise<void> => {
  try {
    await deleteObject(key);
  } catch (error) {
    getLogger().warn('Object deletion deferred', { error: serializeError(error) });
  }
};

/** Deletes the objects that are due, and then their entries. */
export const scheduledDeletions: ScheduledWork = {
  name: 'scheduled-deletions',
  due: storageKeys.deletion,
  async run(items) {
    const errors = await deleteObjects(items.map(({ key }) => key as string));
    const deleted = items.filter(({ key }) => !errors.has(key as string));
    await batchDelete(deleted as object as readonly Key[]);
    for (const error of errors.values()) throw error;
  },
};
