import { tableName } from '../db/dynamodb.ts';
import { itemParser } from '../db/item-parser.ts';
import { createItemWrite, type Write } from '../db/transaction.ts';
import { notificationKeys } from './keys.ts';
import {
  getDay,
  getExpiresAt,
  getFirstStoredDay,
  type StoredNotification,
} from './notification.ts';

/*
 * A user's notifications have one small item with their counters. Ids increase and times do not decrease: the counters
 * contain the newest id, and a transaction that adds a notification requires a greater one. So marking all as read is
 * one write: a mark at the newest id. For each day, the item counts all and unread notifications; each transaction that
 * adds, reads or deletes one updates it. A total is the sum of the days within retention, so it is exact whenever the
 * table deletes expired notifications.
 */

/** Counters of a user's notifications. */
export interface NotificationCounters {
  readonly newestId: number;
  readonly newestAt: string;
  /** Number of all and of unread notifications by day of creation. */
  readonly kept: Readonly<Record<string, number>>;
  readonly unread: Readonly<Record<string, number>>;
  /** When all were marked as read, latest first: pairs of the newest id and the time (ms since 1970). */
  readonly marks: readonly number[];
}

/** Parses the stored counters. */
export const parseCounters = itemParser<NotificationCounters>('notification counters', [
  'newestId',
  'kept',
  'unread',
  'marks',
]);

/** Number of stored marks. What was read before the oldest counts as read at its time. */
const knownMarks = 16;

const noMarks = (): readonly number[] => Array<number>(2 * knownMarks).fill(0);

/** In an update, each right-hand side refers to the item before it. */
const shiftMarks = Array.from(
  { length: 2 * (knownMarks - 1) },
  (_, at) => `marks[${at + 2}] = marks[${at}]`,
).join(', ');

/** Creates the update that marks all current notifications as read. It changes nothing if all are. */
export const markAll = (userId: number) => ({
  Key: notificationKeys.counters.at({ userId }),
  UpdateExpression: `SET unread = :none, marks[0] = newestId, marks[1] = :now, ${shiftMarks}`,
  ConditionExpression: 'attribute_exists(pk) AND marks[0] < newestId',
  ExpressionAttributeValues: { ':none': {}, ':now': Date.now() },
});

/** Returns when a notification was read, or `undefined` while it is unread. */
export const getReadTime = (
  { id, readAt }: Pick<StoredNotification, 'id' | 'readAt'>,
  box: NotificationCounters | undefined,
): string | undefined => {
  if (readAt !== undefined) return readAt;
  const marks = box?.marks ?? [];
  const earliest = marks.findLastIndex((upTo, at) => at % 2 === 0 && upTo >= id);
  return earliest === -1 ? undefined : new Date(marks[earliest + 1] as number).toISOString();
};

/** Returns the id up to which all are read. */
export const readUpTo = (box: NotificationCounters | undefined): number => box?.marks[0] ?? 0;

const sum = (counts: Readonly<Record<string, number>> = {}): number => {
  const first = getFirstStoredDay();
  return Object.entries(counts)
    .filter(([day]) => Number(day) >= first)
    .reduce((sum, [, count]) => sum + count, 0);
};

export const countKept = (box: NotificationCounters | undefined): number => sum(box?.kept);
export const countUnread = (box: NotificationCounters | undefined): number => sum(box?.unread);

/** Lists the days whose counts are no longer needed. Keeps one more for slow clocks. */
const pastDays = ({ kept, unread }: NotificationCounters): string[] => {
  const first = getFirstStoredDay() - 1;
  return [...new Set([...Object.keys(kept), ...Object.keys(unread)])].filter(
    (day) => Number(day) < first,
  );
};

/** Creates the write that counts a new, unread notification. Its condition fails if there is a newer one. */
export const addToBox = (
  userId: number,
  box: NotificationCounters | undefined,
  { id, createdAt }: Pick<StoredNotification, 'id' | 'createdAt'>,
): Write => {
  const key = notificationKeys.counters.at({ userId });
  const day = String(getDay(createdAt));
  // The counters are not needed after their newest notification expires.
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

/** Creates the write that counts a notification as read. Its condition fails if it was marked as read concurrently. */
export const readInBox = (userId: number, notification: StoredNotification): Write =>
  decrementCounters(userId, notification, ['unread']);

/** Creates the write that uncounts a deleted notification. For an unread one it has the condition of `readInBox`. */
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
      Key: notificationKeys.counters.at({ userId }),
      UpdateExpression: `SET ${counts.map((name) => `${name}.#day = ${name}.#day - :one`).join(', ')}`,
      ConditionExpression: `attribute_exists(pk)${isUnread ? ' AND marks[0] < :id' : ''}`,
      ExpressionAttributeNames: { '#day': String(getDay(createdAt)) },
      ExpressionAttributeValues: { ':one': 1, ...(isUnread && { ':id': id }) },
    },
  };
};
