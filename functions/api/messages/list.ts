import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import {
  inDirection,
  type ListKey,
  type ListQuery,
  type ListResult,
  type Page,
  type PageRequest,
  readFilteredSlice,
  readPage,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { deliverPending } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { type Mailbox, queries, readMailbox } from './mailbox.ts';
import {
  type Conversation,
  type FoundMessage,
  type MailboxCopy,
  type MailboxName,
  notFound,
  type StoredMessage,
} from './message.ts';
import { withCurrentNames } from './recipients.ts';

/** Selects messages of a user. */
export interface MessageFilter {
  readonly box: MailboxName | 'all';
  /** Only unread or only read messages. */
  readonly unread?: boolean | undefined;
}

/** A user's view of a conversation. */
export interface FoundConversation {
  readonly conversation: Conversation;
  readonly latest: FoundMessage;
}

/** Returns the messages of copies; `undefined` for those deleted since. */
const readMessages = async (
  copies: readonly MailboxCopy[],
): Promise<(FoundMessage | undefined)[]> => {
  const senderIds = [...new Set(copies.map(({ senderId }) => senderId))];
  const items = await batchGet([
    ...copies.map(({ id }) => messageKeys.record.at({ id })),
    ...senderIds.map((id) => userKeys.record.at({ id })),
  ]);
  const senders = items.slice(copies.length);
  const sendersById = new Map(senderIds.map((id, at) => [id, toAuthor(senders[at])]));
  const stored = items.slice(0, copies.length) as unknown as (StoredMessage | undefined)[];
  const messages = await withCurrentNames(stored);
  return copies.map((copy, at) => {
    const message = messages[at];
    return message && { message, copy, sender: sendersById.get(copy.senderId) ?? null };
  });
};

/** Returns the copies of index entries, which also say what is read. */
const readCopies = async (
  userId: number,
  entries: readonly MailboxCopy[],
): Promise<(MailboxCopy | undefined)[]> => {
  const items = await batchGet(
    entries.map(({ id, boxes }) => messageKeys[boxes[0] ?? 'inbox'].at({ userId, id })),
  );
  return items as unknown as (MailboxCopy | undefined)[];
};

/** Returns the messages of index entries with their current copies. */
const readEntries = async (
  userId: number,
  entries: readonly MailboxCopy[],
): Promise<(FoundMessage | undefined)[]> => {
  const [found, copies] = await Promise.all([readMessages(entries), readCopies(userId, entries)]);
  return found.map((message, at) => {
    const copy = copies[at];
    return message && copy && { ...message, copy };
  });
};

const toPage = (
  { items: _, ...page }: Page<ListKey>,
  found: readonly (FoundMessage | undefined)[],
): Page<FoundMessage> => ({ ...page, items: found.filter((message) => message !== undefined) });

/** Returns the message id in a sort key, which is the same in all mailboxes. */
const idPart = (sk: unknown): string => String(sk).split('#').at(-1) ?? '';

/** Returns the query of sent messages without unread ones to the same user. */
const sentAndReadQuery = (userId: number): ListQuery => {
  const query = queries.sent(userId);
  return {
    ...query,
    FilterExpression: 'attribute_exists(readAt) OR NOT contains(boxes, :inbox)',
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':inbox': 'inbox' },
  };
};

/** Merges two lists by message id, without duplicates. */
const mergeLists =
  (both: readonly ListQuery[]): Source =>
  async (count, from, isReversed) => {
    const slices = await Promise.all(
      both.map((query) => {
        const { ':pk': pk, ':prefix': prefix } = query.ExpressionAttributeValues ?? {};
        const after = from && { pk, sk: `${prefix}${idPart(from['sk'])}` };
        return readFilteredSlice(inDirection(query, isReversed), count, after);
      }),
    );
    const sign = isReversed ? 1 : -1;
    const inOrder = (a: ListKey, b: ListKey) =>
      sign * (Number(idPart(a['sk'])) - Number(idPart(b['sk'])));
    const stops = slices.flatMap((slice) => (slice.stoppedAt ? [slice.stoppedAt] : []));
    const [stoppedAt] = stops.toSorted(inOrder);
    const found = slices.flatMap(({ items }) => items);
    const byId = new Map(found.map((item): [unknown, ListKey] => [item['id'], item]));
    // One list may still have items before those that the other has found.
    const complete = [...byId.values()].filter(
      (item) => !stoppedAt || inOrder(item, stoppedAt) <= 0,
    );
    return { items: complete.toSorted(inOrder).slice(0, count), stoppedAt };
  };

type Kind = MailboxName | 'unread' | 'read' | 'all' | 'all-read';

const getKind = ({ box, unread }: MessageFilter): Kind => {
  if (unread === undefined) return box;
  if (unread) return 'unread';
  return box === 'all' ? 'all-read' : 'read';
};

const getTotal = (kind: Kind, { inbox, sent, both, unread }: Mailbox): number => {
  const all = inbox + sent - both;
  return { inbox, sent, unread, all, read: inbox - unread, 'all-read': all - unread }[kind];
};

/**
 * Lists a page of a user's messages, newest first, with the total. The cost doesn't depend on their number.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page` or `unread`
 */
export const list = async (
  userId: number,
  filter: MessageFilter,
  request: PageRequest,
): Promise<ListResult<FoundMessage>> => {
  if (filter.unread !== undefined && filter.box === 'sent') {
    throw invalidField('unread', 'cannot be combined with box=sent');
  }
  await deliverPending(userId);
  const kind = getKind(filter);
  const scope = `messages#${userId}#${kind}`;
  const readBothBoxes = (query: ListQuery, sent: ListQuery) =>
    readPageFrom(mergeLists([query, sent]), false, request, scope);
  const readKind = () => {
    if (kind === 'all') return readBothBoxes(queries.inbox(userId), queries.sent(userId));
    if (kind === 'all-read') return readBothBoxes(queries.read(userId), sentAndReadQuery(userId));
    return readPage(queries[kind](userId), request, scope);
  };
  const [page, mailbox] = await Promise.all([readKind(), readMailbox(userId)]);
  const found = await readMessages(page.items as unknown as MailboxCopy[]);
  return { ...toPage(page, found), total: getTotal(kind, mailbox), totalIsExact: true };
};

/** Returns the exact number of unread messages in a user's inbox. */
export const getUnreadCount = async (userId: number): Promise<number> => {
  await deliverPending(userId);
  return (await readMailbox(userId)).unread;
};

/** Lists a page of a user's conversations, the most recent first, with the total. */
export const listConversations = async (
  userId: number,
  request: PageRequest,
): Promise<ListResult<FoundConversation>> => {
  await deliverPending(userId);
  const [{ items, ...page }, { conversations: total }] = await Promise.all([
    readPage(queries.conversations(userId), request, `conversations#${userId}`),
    readMailbox(userId),
  ]);
  const entries = items as unknown as MailboxCopy[];
  const [latest, conversations] = await Promise.all([
    readEntries(userId, entries),
    batchGet(
      entries.map(({ conversationId }) =>
        messageKeys.conversation.at({ userId, id: conversationId }),
      ),
    ),
  ]);
  return {
    ...page,
    items: conversations.flatMap((item, at) => {
      const message = latest[at];
      const conversation = item as unknown as Conversation | undefined;
      return conversation && message ? [{ conversation, latest: message }] : [];
    }),
    total,
    totalIsExact: true,
  };
};

/**
 * Lists a page of a user's messages in a conversation, newest first, with the total.
 * @throws AppError NOT_FOUND if the user has no messages in it; VALIDATION_ERROR for `cursor` or `page`
 */
export const listConversation = async (
  userId: number,
  id: number,
  request: PageRequest,
): Promise<ListResult<FoundMessage>> => {
  await deliverPending(userId);
  const [page, [conversation]] = await Promise.all([
    readPage(queries.ofConversation(userId, id), request, `conversation#${userId}#${id}`),
    batchGet([messageKeys.conversation.at({ userId, id })]),
  ]);
  if (!conversation) throw notFound('conversation');
  const total = conversation['messages'] as number;
  const found = await readEntries(userId, page.items as unknown as MailboxCopy[]);
  return { ...toPage(page, found), total, totalIsExact: true };
};
