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

/** The messages of copies that were read just now; `undefined` for one that was deleted meanwhile. */
const withMessages = async (copies: readonly Copy[]): Promise<(FoundMessage | undefined)[]> => {
  const senderIds = [...new Set(copies.map(({ senderId }) => senderId))];
  const items = await batchGet([
    ...copies.map(({ id }) => keys.message(id)),
    ...senderIds.map(keys.user),
  ]);
  const senders = items.slice(copies.length);
  const senderOf = new Map(senderIds.map((id, at) => [id, toAuthor(senders[at])]));
  return copies.map((copy, at) => {
    const message = items[at] as unknown as StoredMessage | undefined;
    return message && { message, copy, sender: senderOf.get(copy.senderId) ?? null };
  });
};

/** The copies that places lead to, which say as well what is read. */
const copiesAt = async (userId: number, places: readonly Copy[]): Promise<(Copy | undefined)[]> => {
  const items = await batchGet(
    places.map(({ id, boxes }) => keys.messageInBox(userId, boxes[0] ?? 'inbox', id)),
  );
  return items as unknown as (Copy | undefined)[];
};

/** The messages of places, each with the copy as it is now. */
const atPlaces = async (
  userId: number,
  places: readonly Copy[],
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
  const found = await withMessages(page.items as unknown as Copy[]);
  return { ...toPage(page, found), total, totalIsExact: true };
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
): Promise<Listed<FoundMessage>> => {
  await receive(userId);
  const [page, [conversation]] = await Promise.all([
    readPage(queries.ofConversation(userId, id), request, `conversation#${userId}#${id}`),
    batchGet([keys.conversation(userId, id)]),
  ]);
  if (!conversation) throw notFound('conversation');
  const total = conversation['messages'] as number;
  const found = await atPlaces(userId, page.items as unknown as Copy[]);
  return { ...toPage(page, found), total, totalIsExact: true };
};
