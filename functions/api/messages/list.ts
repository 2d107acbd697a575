import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
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
import { type Mailbox, queries, readMailbox } from './mailbox.ts';
import {
  type Conversation,
  type FoundMessage,
  type MailboxCopy,
  type NotificationCounters,
  notFound,
  type StoredMessage,
} from './message.ts';
import { withPresentNames } from './recipients.ts';

/** Which of a user's messages. */
export interface MessageFilter {
  readonly box: NotificationCounters | 'all';
  /** Only those that are not read, or only those that are. */
  readonly unread?: boolean | undefined;
}

/** A conversation as one of its users has it. */
export interface FoundConversation {
  readonly conversation: Conversation;
  readonly latest: FoundMessage;
}

/** The messages of copies that were read just now; `undefined` for one that was deleted meanwhile. */
const withMessages = async (
  copies: readonly MailboxCopy[],
): Promise<(FoundMessage | undefined)[]> => {
  const senderIds = [...new Set(copies.map(({ senderId }) => senderId))];
  const items = await batchGet([
    ...copies.map(({ id }) => keys.message(id)),
    ...senderIds.map(keys.user),
  ]);
  const senders = items.slice(copies.length);
  const senderOf = new Map(senderIds.map((id, at) => [id, toAuthor(senders[at])]));
  const stored = items.slice(0, copies.length) as unknown as (StoredMessage | undefined)[];
  const messages = await withPresentNames(stored);
  return copies.map((copy, at) => {
    const message = messages[at];
    return message && { message, copy, sender: senderOf.get(copy.senderId) ?? null };
  });
};

/** The copies that places lead to, which say as well what is read. */
const copiesAt = async (
  userId: number,
  places: readonly MailboxCopy[],
): Promise<(MailboxCopy | undefined)[]> => {
  const items = await batchGet(
    places.map(({ id, boxes }) => keys.messageInBox(userId, boxes[0] ?? 'inbox', id)),
  );
  return items as unknown as (MailboxCopy | undefined)[];
};

/** The messages of places, each with the copy as it is now. */
const atPlaces = async (
  userId: number,
  places: readonly MailboxCopy[],
): Promise<(FoundMessage | undefined)[]> => {
  const [found, copies] = await Promise.all([withMessages(places), copiesAt(userId, places)]);
  return found.map((one, at) => {
    const copy = copies[at];
    return one && copy && { ...one, copy };
  });
};

const toPage = (
  { items: _, ...page }: Page<ListKey>,
  found: readonly (FoundMessage | undefined)[],
): Page<FoundMessage> => ({ ...page, items: found.filter((one) => one !== undefined) });

/** The id in the key of a place: what the places of a message in different boxes have in common. */
const idPart = (sk: unknown): string => String(sk).split('#').at(-1) ?? '';

/** What was sent and is not waiting to be read by the same user. */
const sentAndRead = (userId: number): ListQuery => {
  const query = queries.sent(userId);
  return {
    ...query,
    FilterExpression: 'attribute_exists(readAt) OR NOT contains(boxes, :inbox)',
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':inbox': 'inbox' },
  };
};

/** Two lists as one, in the order of the messages' ids; a message that is in both is there once. */
const ofBoth =
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
    // What one has not looked at comes before what the other has found behind it.
    const sure = [...byId.values()].filter((item) => !stoppedAt || inOrder(item, stoppedAt) <= 0);
    return { items: sure.toSorted(inOrder).slice(0, count), stoppedAt };
  };

type Kind = NotificationCounters | 'unread' | 'read' | 'all' | 'all-read';

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
 * A page of a user's messages, newest first, and how many there are. It costs the same however many there are.
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or `unread`
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
  const ofBothBoxes = (query: ListQuery, sent: ListQuery) =>
    readPageFrom(ofBoth([query, sent]), false, request, scope);
  const readKind = () => {
    if (kind === 'all') return ofBothBoxes(queries.inbox(userId), queries.sent(userId));
    if (kind === 'all-read') return ofBothBoxes(queries.read(userId), sentAndRead(userId));
    return readPage(queries[kind](userId), request, scope);
  };
  const [page, mailbox] = await Promise.all([readKind(), readMailbox(userId)]);
  const found = await withMessages(page.items as unknown as MailboxCopy[]);
  return { ...toPage(page, found), total: getTotal(kind, mailbox), totalIsExact: true };
};

/** How many messages in a user's inbox are unread, exactly. */
export const getUnreadCount = async (userId: number): Promise<number> => {
  await deliverPending(userId);
  return (await readMailbox(userId)).unread;
};

/** A page of a user's conversations, that with the newest message first, and how many there are. */
export const listConversations = async (
  userId: number,
  request: PageRequest,
): Promise<ListResult<FoundConversation>> => {
  await deliverPending(userId);
  const [{ items, ...page }, { conversations: total }] = await Promise.all([
    readPage(queries.conversations(userId), request, `conversations#${userId}`),
    readMailbox(userId),
  ]);
  const places = items as unknown as MailboxCopy[];
  const [latest, conversations] = await Promise.all([
    atPlaces(userId, places),
    batchGet(places.map(({ conversationId }) => keys.conversation(userId, conversationId))),
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
 * A page of a user's messages of a conversation, newest first, and how many there are.
 * @throws AppError NOT_FOUND where the user has none of it; VALIDATION_ERROR about `cursor` or `page`
 */
export const listConversation = async (
  userId: number,
  id: number,
  request: PageRequest,
): Promise<ListResult<FoundMessage>> => {
  await deliverPending(userId);
  const [page, [conversation]] = await Promise.all([
    readPage(queries.ofConversation(userId, id), request, `conversation#${userId}#${id}`),
    batchGet([keys.conversation(userId, id)]),
  ]);
  if (!conversation) throw notFound('conversation');
  const total = conversation['messages'] as number;
  const found = await atPlaces(userId, page.items as unknown as MailboxCopy[]);
  return { ...toPage(page, found), total, totalIsExact: true };
};
