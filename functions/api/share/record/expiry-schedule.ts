import { tableName } from '../../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../../shared/db/table.ts';
import { deleteItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { StoredShare } from './share.ts';

const inIndex = ({ pk, sk }: Key) => ({ gsi1pk: pk, gsi1sk: sk });

/** Where something stands in the index, for what is to be done about a share at a time (ISO 8601). */
export const ends = {
  /** The share ends, or ended, at this time: its content is to be deleted after it. */
  planned: (at: string, shareId: string) => inIndex(keys.shareEnds(at, shareId)),
  /** The tombstone is to be forgotten at this time. */
  forgotten: (at: string, shareId: string) => inIndex(keys.shareTombstones(at, shareId)),
  none: { gsi1pk: undefined, gsi1sk: undefined },
} as const;

/**
 * The write that plans the end of a share by time, in an item of its own: were it the gate that stands in the index
 * then every view would be a write of the index too.
 */
export const scheduleEnd = ({ id, expiresAt }: StoredShare): Write | undefined =>
  expiresAt === undefined
    ? undefined
    : {
        Put: {
          TableName: tableName(),
          Item: { ...keys.shareEnd(id), ...ends.planned(expiresAt, id) },
        },
      };

/** The write that forgets that plan, where there is one. */
export const deleteScheduledEnd = ({ id, expiresAt }: StoredShare): Write | undefined =>
  expiresAt === undefined ? undefined : deleteItemWrite(keys.shareEnd(id));

/** The write that plans the end of a changed share, where that is another. */
export const moveEnd = (before: StoredShare, after: StoredShare): Write | undefined => {
  if (before.expiresAt === after.expiresAt) return undefined;
  return scheduleEnd(after) ?? deleteScheduledEnd(before);
};
