import { tableName } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';
import { createItemWrite, type Write } from '../db/transaction.ts';
import {
  getDay,
  getExpiresAt,
  getFirstStoredDay,
  type StoredNotification,
} from './notification.ts';

/*
 * A user's notifications and one small item about them, the box. Their ids increase, and their times don't decrease: the
 * box knows the newest, and a transaction that adds another has the condition that its id is greater. So "all that are
 * there now" is what has an id up to the newest, and reading all is one write: a mark at that id. The box counts, for each
 * day, the notifications and those of them that are unread; each transaction that adds, reads or deletes one moves these
 * counts. A count is the sum over the days that are kept, so that it is exact whenever the table deletes what is older.
 */

/** Where a user's notifications stand. */
export interface NotificationCounters {
  readonly newestId: number;
  readonly newestAt: string;
  /** How many there are, and how many of them are unread, by the day of their creation. */
  readonly kept: Readonly<Record<string, number>>;
  readonly unread: Readonly<Record<string, number>>;
  /** The latest times when all were read, the last one first: the newest id then, and the time (ms since 1970). */
  readonly marks: readonly number[];
}

/** So many times are known when all were read; what was read before them counts as read at the first of them. */
const knownMarks = 16;

const noMarks = (): readonly number[] => Array<number>(2 * knownMarks).fill(0);

/** Each mark moves on by one place: in an update each right side is the item as it was before. */
const shiftMarks = Array.from(
  { length: 2 * (knownMarks - 1) },
  (_, at) => `marks[${at + 2}] = marks[${at}]`,
).join(', ');

/** The update that marks all notifications as read that are there at that moment; where all are, it changes nothing. */
export const markAll = (userId: number) => ({
  Key: keys.notificationCounters(userId),
  UpdateExpression: `SET unread = :none, marks[0] = newestId, marks[1] = :now, ${shiftMarks}`,
  ConditionExpression: 'attribute_exists(pk) AND marks[0] < newestId',
  ExpressionAttributeValues: { ':none': {}, ':now': Date.now() },
});

/** When a notification was read, `undefined` while it is unread. */
export const getReadTime = (
  { id, readAt }: Pick<StoredNotification, 'id' | 'readAt'>,
  box: NotificationCounters | undefined,
): string | undefined => {
  if (readAt !== undefined) return readAt;
  const marks = box?.marks ?? [];
  const earliest = marks.findLastIndex((upTo, at) => at % 2 === 0 && upTo >= id);
  return earliest === -1 ? undefined : new Date(marks[earliest + 1] as number).toISOString();
};

/** The id up to which all are read. */
export const readUpTo = (box: NotificationCounters | undefined): number => box?.marks[0] ?? 0;

const sum = (counts: Readonly<Record<string, number>> = {}): number => {
  const first = getFirstStoredDay();
  return Object.entries(counts)
    .filter(([day]) => Number(day) >= first)
    .reduce((sum, [, count]) => sum + count, 0);
};

export const countKept = (box: NotificationCounters | undefined): number => sum(box?.kept);
export const countUnread = (box: NotificationCounters | undefined): number => sum(box?.unread);

/** The days that need no counts any more; one more is left to those whose clocks are slow. */
const pastDays = ({ kept, unread }: NotificationCounters): string[] => {
  const first = getFirstStoredDay() - 1;
  return [...new Set([...Object.keys(kept), ...Object.keys(unread)])].filter(
    (day) => Number(day) < first,
  );
};

/** The write that has a new, unread notification in the box; its condition fails where the box has a newer one. */
export const addToBox = (
  userId: number,
  box: NotificationCounters | undefined,
  { id, createdAt }: Pick<StoredNotification, 'id' | 'createdAt'>,
): Write => {
  const key = keys.notificationCounters(userId);
  const day = String(getDay(createdAt));
  // The box is of no use once its newest notification is kept no longer.
  const ttl = getExpiresAt(createdAt);
  if (!box) {
    const counts = { kept: { [day]: 1 }, unread: { [day]: 1 } };
    return createItemWrite(key, {
      newestId: id,
      newestAt: createdAt,
      ...counts,
      marks: noMarks(),
      ttl,
    });
  }
  const past = pastDays(box).map((old, at) => [`#past${at}`, old] as const);
  const removes = past.map(([name]) => `kept.${name}, unread.${name}`).join(', ');
  const plusOne = (counts: string) =>
    `${counts}.#day = if_not_exists(${counts}.#day, :zero) + :one`;
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: `SET newestId = :id, newestAt = :at, #ttl = :ttl, ${plusOne('kept')}, ${plusOne('unread')}${removes && ` REMOVE ${removes}`}`,
      ConditionExpression: 'attribute_exists(pk) AND newestId < :id AND newestAt <= :at',
      ExpressionAttributeNames: { '#ttl': 'ttl', '#day': day, ...Object.fromEntries(past) },
      ExpressionAttributeValues: {
        ':id': id,
        ':at': createdAt,
        ':ttl': ttl,
        ':zero': 0,
        ':one': 1,
      },
    },
  };
};

/** The write that counts a notification as read; its condition fails where all up to it have been read meanwhile. */
export const readInBox = (userId: number, notification: StoredNotification): Write =>
  decrementCounters(userId, notification, ['unread']);

/** The write that counts a deleted notification no longer; of an unread one, with the condition of `readInBox`. */
export const removeFromBox = (
  userId: number,
  notification: StoredNotification,
  isUnread: boolean,
): Write => decrementCounters(userId, notification, isUnread ? ['kept', 'unread'] : ['kept']);

const decrementCounters = (
  userId: number,
  { id, createdAt }: StoredNotification,
  counts: readonly ('kept' | 'unread')[],
): Write => {
  const isUnread = counts.includes('unread');
  return {
    Update: {
      TableName: tableName(),
      Key: keys.notificationCounters(userId),
      UpdateExpression: `SET ${counts.map((name) => `${name}.#day = ${name}.#day - :one`).join(', ')}`,
      ConditionExpression: `attribute_exists(pk)${isUnread ? ' AND marks[0] < :id' : ''}`,
      ExpressionAttributeNames: { '#day': String(getDay(createdAt)) },
      ExpressionAttributeValues: { ':one': 1, ...(isUnread && { ':id': id }) },
    },
  };
};
