import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ListQuery, startAt } from '../../../shared/db/query.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { parseMailboxCounters } from './counters.ts';
import { deliverPending, readUpdates, type Updates } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { type Conversation, parseConversation, parseMessage, toCopy } from './message.ts';

/** The lists of a user's messages, one of which has each copy. */
const lists = ['unread', 'read', 'sent'] as const;

/** How often a copy is looked for. */
const maxAttempts = 3;

const newestFirst = (prefix: Key): ListQuery => ({ ...startAt(prefix), ScanIndexForward: false });

const createMailbox = (userId: number, updates: Updates) => ({
  userId,
  /** What is new for the user, as read when the mailbox was opened. */
  updates,
  /** The numbers of the user's messages at that time. */
  counters: parseMailboxCounters(updates.get(notificationKeys.counters.at({ userId }).sk)),
  /** Queries of the user's lists, newest first. */
  queries: {
    sent: newestFirst(messageKeys.sent.prefix({ userId })),
    unread: newestFirst(messageKeys.unread.prefix({ userId })),
    read: newestFirst(messageKeys.read.prefix({ userId })),
    conversations: newestFirst(messageKeys.byLatest.prefix({ userId })),
  },
  /** Returns the query of the user's copies in a conversation, newest first. */
  queryConversation: (conversationId: number): ListQuery =>
    newestFirst(messageKeys.copy.prefix({ userId, conversationId })),
  readConversations: async (ids: readonly number[]): Promise<(Conversation | undefined)[]> => {
    const items = await batchGet(ids.map((id) => messageKeys.conversation.at({ userId, id })));
    return items.map(parseConversation);
  },
  /** Finds a message with the user's copy, and reads other items along; `undefined` if the user has no copy. */
  find: async (id: number, others: readonly Key[] = []) => {
    const keys = lists.map((list) => messageKeys[list].at({ userId, id }));
    // A copy that is marked meanwhile may have left one list before it is seen in the other.
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const [item, ...rest] = await batchGet([messageKeys.record.at({ id }), ...keys, ...others]);
      const message = parseMessage(item);
      if (!message) return undefined;
      const entry = rest.slice(0, lists.length).find((one) => one !== undefined);
      if (entry) return { message, copy: toCopy(entry), items: rest.slice(lists.length) };
    }
    return undefined;
  },
});

/** Pending deliveries that a request has begun to read. */
export type Pending = ReturnType<typeof readUpdates>;

/** Begins to read what opening a user's mailbox moves to the inbox. */
export const readPending = (userId: number): Pending => readUpdates(userId);

/** A user's mailbox without pending deliveries. */
export type Mailbox = ReturnType<typeof createMailbox>;

/**
 * Opens a user's mailbox: moves all pending messages to the inbox, so that every read finds them (decisions.md#messages).
 * @throws AppError SERVICE_UNAVAILABLE if there are too many for one request; the next one continues
 */
export const openMailbox = async (userId: number, pending?: Pending): Promise<Mailbox> =>
  createMailbox(userId, await deliverPending(userId, pending));
