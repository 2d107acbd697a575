import { tableName } from '../db/dynamodb.ts';
import { type Item, itemParser } from '../db/item-parser.ts';
import type { Write } from '../db/transaction.ts';
import { notificationKeys } from './keys.ts';
import {
  getCountName,
  getDay,
  isCounted,
  type Kept,
  readCountName,
  type StoredNotification,
} from './notification.ts';

/*
 * All counters of a user are in one small item, so that a message and its notification change one: numbers of messages, and
 * `bell`, the counters of notifications. Ids increase and times do not decrease: the counters
 * contain the newest id, and a transaction that adds a notification requires a greater one. So marking all as read is
 * one write: a mark at the newest id. For each day, the item counts all and unread notifications; each transaction that
 * adds, reads or deletes one updates it. A total is the sum of the days within retention, so it is exact whenever the
 * table deletes expired notifications. What was created while another retention was set counts by itself (`getCountName`).
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

const parseBell = itemParser<NotificationCounters>('notification counters', [
  'newestId',
  'kept',
  'unread',
  'marks',
]);

/** Parses the counters of notifications in the item of a user's counters; `undefined` if there never were any. */
export const parseCounters = (item: Item | undefined): NotificationCounters | undefined =>
  parseBell(item?.['bell'] as Item | undefined);

/** Changes of the numbers of messages in the item of a user's counters. */
export type Amounts = Readonly<Record<string, number>>;

const toAddition = (counts: Amounts) => {
  const names = Object.keys(counts);
  return {
    expression:
      names.length > 0 ? `ADD ${names.map((name) => `#${name} :${name}`).join(', ')}` : '',
    names: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
  };
};

/** Creates the write that changes a user's numbers of messages, if any change. */
export const countWrite = (userId: number, counts: Amounts): Write | undefined => {
  const { expression, names, values } = toAddition(counts);
  if (expression === '') return undefined;
  return {
    Update: {
      TableName: tableName(),
      Key: notificationKeys.counters.at({ userId }),
      UpdateExpression: expression,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
    },
  };
};

/** Number of stored marks. What was read before the oldest counts as read at its time. */
const knownMarks = 16;

const noMarks = (): readonly number[] => Array<number>(2 * knownMarks).fill(0);

/** In an update, each right-hand side refers to the item before it. */
const shiftMarks = Array.from(
  { length: 2 * (knownMarks - 1) },
  (_, at) => `bell.marks[${at + 2}] = bell.marks[${at}]`,
).join(', ');

/** Creates the update that marks all current notifications as read. It changes nothing if all are. */
export const markAll = (userId: number) => ({
  Key: notificationKeys.counters.at({ userId }),
  UpdateExpression: `SET bell.unread = :none, bell.marks[0] = bell.newestId, bell.marks[1] = :now, ${shiftMarks}`,
  ConditionExpression: 'attribute_exists(pk) AND bell.marks[0] < bell.newestId',
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

const sum = (counts: Readonly<Record<string, number>> = {}): number =>
  Object.entries(counts)
    .filter(([name]) => isCounted(name))
    .reduce((sum, [, count]) => sum + count, 0);

export const countKept = (box: NotificationCounters | undefined): number => sum(box?.kept);
export const countUnread = (box: NotificationCounters | undefined): number => sum(box?.unread);

/** An expression can have up to 4 KB. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html */
const maxRemovedDays = 50;

const listNames = ({ kept, unread }: NotificationCounters): string[] => [
  ...new Set([...Object.keys(kept), ...Object.keys(unread)]),
];

/**
 * Lists counts of what the table has deleted. Keeps one day more for slow clocks. What only the setting hides is still stored,
 * so its counts stay as long as it does.
 */
const pastDays = (counters: NotificationCounters): string[] => {
  const today = getDay(Date.now());
  return listNames(counters)
    .filter((name) => readCountName(name).lastDay + 1 < today)
    .slice(0, maxRemovedDays);
};

/** The part of an update that counts a new, unread notification. */
const toBellUpdate = (
  box: NotificationCounters | undefined,
  notification: Pick<StoredNotification, 'id'> & Kept,
) => {
  const { id, createdAt } = notification;
  const day = getCountName(notification);
  if (!box) {
    const counts = { kept: { [day]: 1 }, unread: { [day]: 1 } };
    const bell = { newestId: id, newestAt: createdAt, ...counts, marks: noMarks() };
    return {
      expression: 'SET bell = :bell',
      condition: 'attribute_not_exists(bell)',
      names: {},
      values: { ':bell': bell },
    };
  }
  const past = pastDays(box).map((old, at) => [`#past${at}`, old] as const);
  const removes = past.map(([name]) => `bell.kept.${name}, bell.unread.${name}`).join(', ');
  const plusOne = (counts: string) =>
    `bell.${counts}.#day = if_not_exists(bell.${counts}.#day, :zero) + :one`;
  return {
    expression: `SET bell.newestId = :id, bell.newestAt = :at, ${plusOne('kept')}, ${plusOne('unread')}${removes && ` REMOVE ${removes}`}`,
    condition: 'attribute_exists(pk) AND bell.newestId < :id AND bell.newestAt <= :at',
    names: { '#day': day, ...Object.fromEntries(past) },
    values: { ':id': id, ':at': createdAt, ':zero': 0, ':one': 1 },
  };
};

/**
 * Creates the write that counts a new, unread notification, and a message with it. Its condition fails if there is a newer
 * notification.
 */
export const addToBox = (
  userId: number,
  box: NotificationCounters | undefined,
  notification: Pick<StoredNotification, 'id'> & Kept,
  counts: Amounts,
): Write => {
  const { expression, condition, names, values } = toBellUpdate(box, notification);
  const addition = toAddition(counts);
  return {
    Update: {
      TableName: tableName(),
      Key: notificationKeys.counters.at({ userId }),
      UpdateExpression: `${expression} ${addition.expression}`.trim(),
      ConditionExpression: condition,
      // A table refuses an empty map of names.
      ...((box || addition.expression !== '') && {
        ExpressionAttributeNames: { ...names, ...addition.names },
      }),
      ExpressionAttributeValues: { ...values, ...addition.values },
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
  notification: StoredNotification,
  counts: readonly ('kept' | 'unread')[],
): Write => {
  const isUnread = counts.includes('unread');
  return {
    Update: {
      TableName: tableName(),
      Key: notificationKeys.counters.at({ userId }),
      UpdateExpression: `SET ${counts.map((name) => `bell.${name}.#day = bell.${name}.#day - :one`).join(', ')}`,
      ConditionExpression: `attribute_exists(pk)${isUnread ? ' AND bell.marks[0] < :id' : ''}`,
      ExpressionAttributeNames: { '#day': getCountName(notification) },
      ExpressionAttributeValues: { ':one': 1, ...(isUnread && { ':id': notification.id }) },
    },
  };
};

/** Creates the update that removes the counts of hidden notifications that were deleted; `undefined` if there are none. */
export const forgetHidden = (userId: number, box: NotificationCounters | undefined) => {
  const hidden = box ? listNames(box).filter((name) => !isCounted(name)) : [];
  const past = hidden.slice(0, maxRemovedDays).map((name, at) => [`#past${at}`, name] as const);
  if (past.length === 0) return undefined;
  return {
    Key: notificationKeys.counters.at({ userId }),
    UpdateExpression: `REMOVE ${past.map(([name]) => `bell.kept.${name}, bell.unread.${name}`).join(', ')}`,
    ConditionExpression: 'attribute_exists(bell)',
    ExpressionAttributeNames: Object.fromEntries(past),
  };
};
