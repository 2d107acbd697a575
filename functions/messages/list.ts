import { batchGet } from '../../shared/dynamodb.ts';
import { invalidField } from '../../shared/errors.ts';
import {
  type Listed,
  type ListKey,
  type Page,
  type PageRequest,
  readPage,
  readPageFrom,
  readSome,
  type Source,
} from '../../shared/page.ts';
import { keys } from '../../shared/table.ts';
import { toAuthor } from '../documents/author.ts';
import { receive } from './delivery.ts';
import { queries, readMailbox } from './mailbox.ts';
import {
  type Box,
  type Conversation,
  type Copy,
  type FoundMessage,
  notFound,
  type StoredMessage,
} from './message.ts';

/** Which of a user's messages. */
export interface MessageFilter {
  readonly box: Box | 'all';
  readonly unread?: true | undefined;
}

/** A conversation as one of its users has it. */
export interface FoundConversation {
  readonly conversation: Conversation;
  readonly latest: FoundMessage;
}

/** The messages of places, each with the copy as it is now; `undefined` for one that was deleted meanwhile. */
const withMessages = async (
  userId: number,
  places: readonly Copy[],
): Promise<(FoundMessage | undefined)[]> => {
  const senderIds = [...new Set(places.map(({ senderId }) => senderId))];
  const items = await batchGet([
    ...places.map(({ id }) => keys.message(id)),
    ...places.map(({ id, boxes }) => keys.messageInBox(userId, boxes[0] ?? 'inbox', id)),
    ...senderIds.map(keys.user),
  ]);
  const senders = items.slice(2 * places.length);
  const senderOf = new Map(senderIds.map((id, at) => [id, toAuthor(senders[at])]));
  return places.map(({ senderId }, at) => {
    const message = items[at] as unknown as StoredMessage | undefined;
    const copy = items[places.length + at] as unknown as Copy | undefined;
    return message && copy && { message, copy, sender: senderOf.get(senderId) ?? null };
  });
};

const toFound = async (
  userId: number,
  { items, ...page }: Page<ListKey>,
): Promise<Page<FoundMessage>> => {
  const found = await withMessages(userId, items as unknown as Copy[]);
  return { ...page, items: found.filter((one) => one !== undefined) };
};

/** The id in the key of a place: what the places of a message in different boxes have in common. */
const idPart = (sk: unknown): string => String(sk).split('#').at(-1) ?? '';

/** Both boxes as one list, newest first; a message to oneself is there once. */
const ofBothBoxes =
  (userId: number): Source =>
  async (count, from) => {
    const after = (box: Box) => {
      const { pk, sk } = keys.messageInBox(userId, box, 0);
      return from && { pk, sk: sk.replace(idPart(sk), idPart(from['sk'])) };
    };
    const lists = await Promise.all([
      readSome(queries.inbox(userId), count, after('inbox')),
      readSome(queries.sent(userId), count, after('sent')),
    ]);
    const byId = new Map(lists.flat().map((item) => [item['id'] as number, item]));
    return [...byId]
      .toSorted(([a], [b]) => b - a)
      .map(([, item]) => item)
      .slice(0, count);
  };

/**
 * A page of a user's messages, newest first, and how many there are. It costs the same however many there are.
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or `unread`
 */
export const list = async (
  userId: number,
  { box, unread }: MessageFilter,
  request: PageRequest,
): Promise<Listed<FoundMessage>> => {
  if (unread && box === 'sent') throw invalidField('unread', 'can not be used beside box=sent');
  await receive(userId);
  const kind = unread ? 'unread' : box;
  const scope = `messages#${userId}#${kind}`;
  const [page, mailbox] = await Promise.all([
    kind === 'all'
      ? readPageFrom(ofBothBoxes(userId), false, request, scope)
      : readPage(queries[kind](userId), request, scope),
    readMailbox(userId),
  ]);
  const total = kind === 'all' ? mailbox.inbox + mailbox.sent - mailbox.both : mailbox[kind];
  return { ...(await toFound(userId, page)), total, totalIsExact: true };
};

/** How many messages in a user's inbox are unread, exactly. */
export const unreadCount = async (userId: number): Promise<number> => {
  await receive(userId);
  return (await readMailbox(userId)).unread;
};

/** A page of a user's conversations, that with the newest message first, and how many there are. */
export const listConversations = async (
  userId: number,
  request: PageRequest,
): Promise<Listed<FoundConversation>> => {
  await receive(userId);
  const [{ items, ...page }, { conversations: total }] = await Promise.all([
    readPage(queries.conversations(userId), request, `conversations#${userId}`),
    readMailbox(userId),
  ]);
  const places = items as unknown as Copy[];
  const [latest, conversations] = await Promise.all([
    withMessages(userId, places),
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
): Promise<Listed<FoundMessage>> => {
  await receive(userId);
  const [page, [conversation]] = await Promise.all([
    readPage(queries.ofConversation(userId, id), request, `conversation#${userId}#${id}`),
    batchGet([keys.conversation(userId, id)]),
  ]);
  if (!conversation) throw notFound('conversation');
  const total = conversation['messages'] as number;
  return { ...(await toFound(userId, page)), total, totalIsExact: true };
};
