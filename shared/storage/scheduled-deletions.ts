import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { putIf } from '../db/conditional-write.ts';
import { documentClient, tableName } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';
import type { Write } from '../db/transaction.ts';
import { workOff } from '../lists/process-items.ts';
import { toLogEntry } from '../runtime/error-mapping.ts';
import { log } from '../runtime/telemetry.ts';
import { deleteObject } from './bucket.ts';

/** Longer than any request takes: an object whose record is not written by then never will be. */
const untilRecordedMs = 60 * 60_000;

/**
 * An object that is to be deleted at a time. Whoever uploads one dooms it first and saves it in the transaction that
 * writes its record; whoever removes the record dooms it in that transaction. So no object is left that no record names.
 */
export interface Doom {
  /** ISO 8601. */
  readonly at: string;
  readonly key: string;
}

/** Dooms an object that is about to be uploaded. */
export const doomBeforeUpload = async (key: string): Promise<Doom> => {
  const doom = { at: new Date(Date.now() + untilRecordedMs).toISOString(), key };
  await putIf({
    Item: { ...keys.doomedObject(doom.at, key), key },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return doom;
};

/** The write that saves an uploaded object, for the transaction that writes its record. */
export const saveObject = ({ at, key }: Doom): Write => ({
  Delete: {
    TableName: tableName(),
    Key: keys.doomedObject(at, key),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

/** The write that dooms an object, at once or from a time on (ISO 8601), for the transaction that removes its record. */
export const doomObject = (key: string, at = new Date().toISOString()): Write => ({
  Put: { TableName: tableName(), Item: { ...keys.doomedObject(at, key), key } },
});

/** Deletes an object that is doomed before its time; where that fails it is deleted then. */
export const tryDelete = async (key: string): Promise<void> => {
  try {
    await deleteObject(key);
  } catch (error) {
    log().warn('An object is deleted later', { failure: toLogEntry(error) });
  }
};

/** Deletes the objects whose time has come. Deleting one twice does no harm. */
export const deleteDoomed = (): Promise<void> =>
  workOff(
    {
      KeyConditionExpression: 'pk = :pk AND sk < :now',
      ExpressionAttributeValues: {
        ':pk': keys.doomedObject('', '').pk,
        ':now': new Date().toISOString(),
      },
    },
    async ({ pk, sk, key }) => {
      await deleteObject(key as string);
      await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
    },
  );
