import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type ListQuery, startAt } from '../../../shared/lists/pagination.ts';
import { readCounters } from './counters.ts';
import { deliverPending, findPending } from './delivery.ts';
import { messageKeys } from './keys.ts';
import {
  boxes,
  type Conversation,
  type MailboxCopy,
  parseConversation,
  parseCopy,
  parseMessage,
} from './message.ts';

const newestFirst = (prefix: Key): ListQuery => ({ ...startAt(prefix), ScanIndexForward: false });

const createMailbox = (userId: number) => ({
  userId,
  /** Queries of the user's lists, newest first. */
  queries: {
    inbox: newestFirst(messageKeys.inbox.prefix({ userId })),
    sent: newestFirst(messageKeys.sent.prefix({ userId })),
    unread: newestFirst(messageKeys.unread.prefix({ userId })),
    read: newestFirst(messageKeys.read.prefix({ userId })),
    conversations: newestFirst(messageKeys.byLatest.prefix({ userId })),
  },
  /** Returns the query of the user's copies in a conversation, newest first. */
  queryConversation: (conversationId: number): ListQuery =>
    newestFirst(messageKeys.copy.prefix({ userId, conversationId })),
  readCounters: () => readCounters(userId),
  readConversations: async (ids: readonly number[]): Promise<(Conversation | undefined)[]> => {
    const items = await batchGet(ids.map((id) => messageKeys.conversation.at({ userId, id })));
    return items.map(parseConversation);
  },
  /** Returns the copies of index entries, which also say what is read. */
  readCopies: async (entries: readonly MailboxCopy[]): Promise<(MailboxCopy | undefined)[]> => {
    const items = await batchGet(
      entries.map((entry) => messageKeys[entry.boxes[0] ?? 'inbox'].at({ userId, id: entry.id })),
    );
    return items.map(parseCopy);
  },
  /** Finds a message with the user's copy, and reads other items along; `undefined` if the user has no copy. */
  find: async (id: number, others: readonly Key[] = []) => {
    const [item, ...rest] = await batchGet([
      messageKeys.record.at({ id }),
      ...boxes.map((box) => messageKeys[box].at({ userId, id })),
      ...others,
    ]);
    const message = parseMessage(item);
    const copy = parseCopy(rest[0] ?? rest[1]);
    return message && copy && { message, copy, items: rest.slice(boxes.length) };
  },
});

/** Pending deliveries that a request has begun to read. */
export type Pending = ReturnType<typeof findPending>;

/** Begins to read what opening a user's mailbox moves to the inbox. */
export const readPending = (userId: number): Pending => findPending(userId);

/** A user's mailbox without pending deliveries. */
export type Mailbox = ReturnType<typeof createMailbox>;

/**
 * Opens a user's mailbox: moves all pending messages to the inbox, so that every read finds them (decisions.md#messages).
 * @throws AppError SERVICE_UNAVAILABLE if there are too many for one request; the next one continues
 */
export const openMailbox = async (userId: number, pending?: Pending): Promise<Mailbox> => {
  await deliverPending(userId, pending);
  return createMailbox(userId);
};
