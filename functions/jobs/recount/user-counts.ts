import { keys } from '../../../shared/db/table.ts';
import { getReadTime, type NotificationCounters } from '../../../shared/notifications/counters.ts';
import {
  getDay,
  getFirstStoredDay,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';
import type { Conversation, MailboxCopy } from '../../api/messages/message.ts';
import type { Item } from './contributions.ts';

/*
 * Counts that stand within a user's own records: how many messages a conversation has, and how many of them are unread; how
 * many notifications the box has of each day, and how many of them are unread. What they count lies beside them, in the
 * user's partition.
 */

/** A number in a record that is not what lies beside it. */
export interface OwnDifference {
  readonly name: string;
  readonly attribute: string;
  /** Where it stands in the record. */
  readonly path: readonly string[];
  readonly stored: bigint;
  readonly really: bigint;
}

/** A record with its numbers that are wrong. */
export interface CounterMismatch {
  readonly name: string;
  readonly userId: number;
  readonly record: Item;
  readonly differences: readonly OwnDifference[];
}

/** What is told of one conversation by what lies beside it. */
interface Thread {
  record?: Item;
  messages: number;
  unread: number;
}

const dayMs = 86_400_000;
const getDate = (day: string): string => new Date(Number(day) * dayMs).toISOString().slice(0, 10);

const difference = (
  name: string,
  attribute: string,
  path: readonly string[],
  [stored, really]: readonly [number | undefined, number | undefined],
): OwnDifference[] =>
  (stored ?? 0) === (really ?? 0)
    ? []
    : [{ name, attribute, path, stored: BigInt(stored ?? 0), really: BigInt(really ?? 0) }];

const ofThread = (name: string, { record, messages, unread }: Thread): OwnDifference[] => {
  const { messages: stored, unread: storedUnread } = record as unknown as Conversation;
  return [
    ...difference(name, 'messages', ['messages'], [stored, messages]),
    ...difference(name, 'unread', ['unread'], [storedUnread, unread]),
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

/** As far as a notification is counted. */
type Counted = Pick<StoredNotification, 'id' | 'createdAt' | 'readAt'>;

const ofBox = (name: string, record: Item, notifications: readonly Counted[]): OwnDifference[] => {
  const box = record as unknown as NotificationCounters;
  const really = {
    kept: countByDay(notifications),
    unread: countByDay(notifications.filter((one) => getReadTime(one, box) === undefined)),
  };
  const first = getFirstStoredDay();
  return (['kept', 'unread'] as const).flatMap((counts) =>
    Object.keys({ ...box[counts], ...really[counts] })
      .filter((day) => Number(day) >= first)
      .toSorted()
      .flatMap((day) =>
        difference(
          name,
          `${counts} of ${getDate(day)}`,
          [counts, day],
          [box[counts][day], really[counts][day]],
        ),
      ),
  );
};

/** Is it an item that such counts are about, or that has some? */
export const isCountedWithin = ({ pk, sk }: Item): boolean =>
  pk.startsWith('USER#') && /^(COPY#|UNREAD#|CONVERSATION#|NOTIFICATION#|NOTIFICATIONS$)/.test(sk);

/** What the items of one user's partition add up to, as they come. */
export const createTally = (userId: number) => {
  const threads = new Map<number, Thread>();
  const notifications: Counted[] = [];
  let box: Item | undefined;
  const threadOf = (id: number): Thread => {
    const thread = threads.get(id) ?? { messages: 0, unread: 0 };
    threads.set(id, thread);
    return thread;
  };
  return {
    add(item: Item): void {
      const [kind] = item.sk.split('#');
      const { conversationId, id } = item as unknown as MailboxCopy;
      if (kind === 'COPY') threadOf(conversationId).messages += 1;
      else if (kind === 'UNREAD') threadOf(conversationId).unread += 1;
      else if (kind === 'CONVERSATION') threadOf(id).record = item;
      else if (item.sk === keys.notificationCounters(userId).sk) box = item;
      else {
        const { createdAt, readAt } = item as unknown as Counted;
        notifications.push({ id, createdAt, ...(readAt !== undefined && { readAt }) });
      }
    },
    /** The records whose numbers are others; a record that is not there has none. */
    miscounts(): CounterMismatch[] {
      const found: CounterMismatch[] = [];
      const note = (name: string, record: Item, differences: readonly OwnDifference[]) => {
        if (differences.length > 0) found.push({ name, userId, record, differences });
      };
      for (const [id, thread] of threads) {
        const name = `conversation ${id} of user ${userId}`;
        if (thread.record) note(name, thread.record, ofThread(name, thread));
      }
      const name = `notifications of user ${userId}`;
      if (box) note(name, box, ofBox(name, box, notifications));
      return found;
    },
  };
};
