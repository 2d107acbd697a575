import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { conditionalPut } from '../db/conditional-write.ts';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';
import type { Write } from '../db/transaction.ts';
import { processDue } from '../lists/process-items.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getLogger } from '../runtime/telemetry.ts';
import { deleteObject } from './bucket.ts';

/** Longer than any request takes: an object whose record is not written by then never will be. */
const untilRecordedMs = 60 * 60_000;

/**
 * An object that is to be deleted at a time. Whoever uploads one dooms it first and saves it in the transaction that
 * writes its record; whoever removes the record dooms it in that transaction. So no object is left that no record names.
 */
export interface ScheduledDeletion {
  /** ISO 8601. */
  readonly at: string;
  readonly key: string;
}

/** Dooms an object that is about to be uploaded. */
export const scheduleDeletion = async (key: string): Promise<ScheduledDeletion> => {
  const deletion = { at: new Date(Date.now() + untilRecordedMs).toISOString(), key };
  await conditionalPut({
    Item: { ...keys.scheduledDeletion(deletion.at, key), key },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return deletion;
};

/** The write that saves an uploaded object, for the transaction that writes its record. */
export const cancelDeletionWrite = ({ at, key }: ScheduledDeletion): Write => ({
  Delete: {
    TableName: tableName(),
    Key: keys.scheduledDeletion(at, key),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** The write that dooms an object, at once or from a time on (ISO 8601), for the transaction that removes its record. */
export const scheduleDeletionWrite = (key: string, at = new Date().toISOString()): Write => ({
  Put: { TableName: tableName(), Item: { ...keys.scheduledDeletion(at, key), key } },
});

/** Deletes an object that is doomed before its time; where that fails it is deleted then. */
export const tryDelete = async (key: string): Promise<void> => {
  try {
    await deleteObject(key);
  } catch (error) {
    getLogger().warn('An object is deleted later', { failure: serializeError(error) });
  }
};

/** Deletes the objects whose time has come. Deleting one twice does no harm. */
export const runScheduledDeletions = (): Promise<void> =>
  processDue(
    {
      KeyConditionExpression: 'pk = :pk AND sk < :now',
      ExpressionAttributeValues: {
        ':pk': keys.scheduledDeletion('', '').pk,
        ':now': new Date().toISOString(),
      },
    },
    async ({ pk, sk, key }) => {
      await deleteObject(key as string);
      await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
    },
  );
