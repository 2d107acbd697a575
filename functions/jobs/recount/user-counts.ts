import { getReadTime, type NotificationCounters } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  getDay,
  getFirstStoredDay,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';
import type { Conversation, MailboxCopy } from '../../api/messages/message.ts';
import type { Item } from './contributions.ts';

/*
 * Counters within a user's records: the messages and unread messages of a conversation, and the notifications and unread
 * notifications per day. The counted items are in the same partition.
 */

/** A counter in a record that differs from the items of the partition. */
export interface FieldDifference {
  readonly name: string;
  readonly attribute: string;
  /** The path of the counter in the record. */
  readonly path: readonly string[];
  readonly stored: bigint;
  readonly actual: bigint;
}

/** A record with incorrect counters. */
export interface CounterMismatch {
  readonly name: string;
  readonly userId: number;
  readonly record: Item;
  readonly differences: readonly FieldDifference[];
}

/** A conversation and the counted items of its messages. */
interface Thread {
  record?: Item;
  messages: number;
  unread: number;
}

const dayMs = 86_400_000;
const getDate = (day: string): string => new Date(Number(day) * dayMs).toISOString().slice(0, 10);

const compare = (
  name: string,
  attribute: string,
  path: readonly string[],
  [stored, actual]: readonly [number | undefined, number | undefined],
): FieldDifference[] =>
  (stored ?? 0) === (actual ?? 0)
    ? []
    : [{ name, attribute, path, stored: BigInt(stored ?? 0), actual: BigInt(actual ?? 0) }];

const compareThread = (name: string, { record, messages, unread }: Thread): FieldDifference[] => {
  const { messages: stored, unread: storedUnread } = record as unknown as Conversation;
  return [
    ...compare(name, 'messages', ['messages'], [stored, messages]),
    ...compare(name, 'unread', ['unread'], [storedUnread, unread]),
  ];
};

type Days = Record<string, number>;

const countByDay = (notifications: readonly Pick<StoredNotification, 'createdAt'>[]): Days => {
  const days: Days = {};
  for (const { createdAt } of notifications) {
    const day = String(getDay(createdAt));
    days[day] = (days[day] ?? 0) + 1;
  }
  return days;
};

/** The counted fields of a notification. */
type Counted = Pick<StoredNotification, 'id' | 'createdAt' | 'readAt'>;

const compareNotifications = (
  name: string,
  record: Item,
  notifications: readonly Counted[],
): FieldDifference[] => {
  const box = record as unknown as NotificationCounters;
  const actual = {
    kept: countByDay(notifications),
    unread: countByDay(notifications.filter((one) => getReadTime(one, box) === undefined)),
  };
  const first = getFirstStoredDay();
  return (['kept', 'unread'] as const).flatMap((counts) =>
    Object.keys({ ...box[counts], ...actual[counts] })
      .filter((day) => Number(day) >= first)
      .toSorted()
      .flatMap((day) =>
        compare(
          name,
          `${counts} of ${getDate(day)}`,
          [counts, day],
          [box[counts][day], actual[counts][day]],
        ),
      ),
  );
};

/** Returns whether an item is counted within the partition, or has such counters. */
export const isCountedWithin = ({ pk, sk }: Item): boolean =>
  pk.startsWith('USER#') && /^(COPY#|UNREAD#|CONVERSATION#|NOTIFICATION#|NOTIFICATIONS$)/.test(sk);

/** Creates a tally of the items of a user's partition. */
export const createTally = (userId: number) => {
  const threads = new Map<number, Thread>();
  const notifications: Counted[] = [];
  let box: Item | undefined;
  const getThread = (id: number): Thread => {
    const thread = threads.get(id) ?? { messages: 0, unread: 0 };
    threads.set(id, thread);
    return thread;
  };
  return {
    add(item: Item): void {
      const [kind] = item.sk.split('#');
      const { conversationId, id } = item as unknown as MailboxCopy;
      if (kind === 'COPY') getThread(conversationId).messages += 1;
      else if (kind === 'UNREAD') getThread(conversationId).unread += 1;
      else if (kind === 'CONVERSATION') getThread(id).record = item;
      else if (item.sk === notificationKeys.counters.at({ userId }).sk) box = item;
      else {
        const { createdAt, readAt } = item as unknown as Counted;
        notifications.push({ id, createdAt, ...(readAt !== undefined && { readAt }) });
      }
    },
    /** Lists the records with incorrect counters. Missing records have none. */
    listMismatches(): CounterMismatch[] {
      const found: CounterMismatch[] = [];
      const add = (name: string, record: Item, differences: readonly FieldDifference[]) => {
        if (differences.length > 0) found.push({ name, userId, record, differences });
      };
      for (const [id, thread] of threads) {
        const name = `conversation ${id} of user ${userId}`;
        if (thread.record) add(name, thread.record, compareThread(name, thread));
      }
      const name = `notifications of user ${userId}`;
      if (box) add(name, box, compareNotifications(name, box, notifications));
      return found;
    },
  };
};
