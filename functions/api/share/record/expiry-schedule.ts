import { tableName } from '../../../../shared/db/dynamodb.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import { shareKeys } from './keys.ts';
import type { StoredShare } from './share.ts';

const toIndexKeys = ({ pk, sk }: Key) => ({ gsi1pk: pk, gsi1sk: sk });

/** Index keys for work on a share that is due at a time (ISO 8601). */
export const expiryIndex = {
  /** The share ends at this time. Its content is deleted afterwards. */
  end: (at: string, shareId: string) => toIndexKeys(shareKeys.ends.at({ at, id: shareId })),
  /** The tombstone is deleted at this time. */
  tombstone: (at: string, shareId: string) =>
    toIndexKeys(shareKeys.tombstones.at({ at, id: shareId })),
  none: { gsi1pk: undefined, gsi1sk: undefined },
} as const;

/**
 * Creates the write that schedules a share's expiration. It is a separate item because every view would update the index
 * if the access item were in it.
 */
export const scheduleEnd = ({ id, expiresAt }: StoredShare): Write | undefined =>
  expiresAt === undefined
    ? undefined
    : {
        Put: {
          TableName: tableName(),
          Item: { ...shareKeys.end.at({ id }), ...expiryIndex.end(expiresAt, id) },
        },
      };

/** Creates the write that deletes a scheduled expiration, if there is one. */
export const deleteScheduledEnd = ({ id, expiresAt }: StoredShare): Write | undefined =>
  expiresAt === undefined ? undefined : deleteItemWrite(shareKeys.end.at({ id }));

/** Creates the write that reschedules the expiration of an updated share, if it has changed. */
export const rescheduleEnd = (before: StoredShare, after: StoredShare): Write | undefined => {
  if (before.expiresAt === after.expiresAt) return undefined;
  return scheduleEnd(after) ?? deleteScheduledEnd(before);
};
