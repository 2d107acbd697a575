import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { inDirection, type ListKey, type ListQuery, queryItems } from '../../../shared/db/query.ts';
import {
  type ListResult,
  type Page,
  type PageRequest,
  readPage,
  readPageFrom,
  type Source,
} from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import type { MailboxCounters } from './counters.ts';
import { messageKeys } from './keys.ts';
import { type Mailbox, openMailbox, type Pending } from './mailbox.ts';
import { mergeQueries } from './merged-lists.ts';
import {
  type Conversation,
  type FoundMessage,
  type MailboxCopy,
  type MailboxName,
  notFound,
  parseCopy,
  parseMessage,
  toCopy,
} from './message.ts';
import { addPeople, nameParticipants, type Participant } from './people.ts';
import { getSender, withCurrentNames } from './recipients.ts';

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
  /** Its other people. */
  readonly people: readonly Participant[];
}

/** Returns the messages of copies; `undefined` for those deleted since. */
export const readMessages = async (
  copies: readonly MailboxCopy[],
): Promise<(FoundMessage | undefined)[]> => {
  const senderIds = [...new Set(copies.map(({ senderId }) => senderId))];
  const items = await batchGet([
    ...copies.map(({ id }) => messageKeys.record.at({ id })),
    ...senderIds.map((id) => userKeys.record.at({ id })),
  ]);
  const found = items.slice(copies.length);
  const senders = new Map(senderIds.map((id, at) => [id, parseUser(found[at])]));
  const messages = await withCurrentNames(items.slice(0, copies.length).map(parseMessage));
  return copies.map((copy, at) => {
    const message = messages[at];
    return message && { message, copy, sender: getSender(senders, message) };
  });
};

const toPage = (
  { items: _, ...page }: Page<ListKey>,
  found: readonly (FoundMessage | undefined)[],
): Page<FoundMessage> => ({ ...page, items: found.filter((message) => message !== undefined) });

/** Returns the query of sent messages without unread ones to the same user. */
const sentAndReadQuery = ({ queries: { sent } }: Mailbox): ListQuery => ({
  ...sent,
  FilterExpression: 'attribute_exists(readAt) OR NOT contains(boxes, :inbox)',
  ExpressionAttributeValues: { ...sent.ExpressionAttributeValues, ':inbox': 'inbox' },
});

type Kind = MailboxName | 'unread' | 'read' | 'all' | 'all-read';

const getKind = ({ box, unread }: MessageFilter): Kind => {
  if (unread === undefined) return box;
  if (unread) return 'unread';
  return box === 'all' ? 'all-read' : 'read';
};

const getTotal = (kind: Kind, { inbox, sent, both, unread }: MailboxCounters): number => {
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
  pending?: Pending,
): Promise<ListResult<FoundMessage>> => {
  if (filter.unread !== undefined && filter.box === 'sent') {
    throw invalidField('unread', 'cannot be combined with box=sent');
  }
  const mailbox = await openMailbox(userId, pending);
  const { queries } = mailbox;
  const kind = getKind(filter);
  const scope = `messages#${userId}#${kind}`;
  const { unread, read, sent } = queries;
  const { counters } = mailbox;
  const readLists = (...lists: readonly [ListQuery, ...ListQuery[]]) =>
    readPageFrom(mergeQueries(lists), false, request, scope);
  const readKind = () => {
    if (kind === 'inbox') return counters.unread > 0 ? readLists(unread, read) : readLists(read);
    if (kind === 'all') {
      return counters.unread > 0 ? readLists(unread, read, sent) : readLists(read, sent);
    }
    if (kind === 'all-read') return readLists(read, sentAndReadQuery(mailbox));
    return readPage(queries[kind], request, scope);
  };
  const page = await readKind();
  const found = await readMessages(page.items.map(parseCopy));
  return { ...toPage(page, found), total: getTotal(kind, counters), totalIsExact: true };
};

/** Returns the exact number of unread messages in a user's inbox. */
export const getUnreadCount = async (userId: number, pending?: Pending): Promise<number> => {
  const mailbox = await openMailbox(userId, pending);
  return mailbox.counters.unread;
};

/** Returns the conversations of index entries, with their last messages. */
export const readConversationEntries = async (
  mailbox: Mailbox,
  entries: readonly MailboxCopy[],
): Promise<FoundConversation[]> => {
  const [found, read] = await Promise.all([
    readMessages(entries),
    mailbox.readConversations(entries.map(({ conversationId }) => conversationId)),
  ]);
  const conversations = read.flatMap((conversation) => conversation ?? []);
  const known = new Map(found.map((message) => [message?.copy.id, message]));
  // Since the entries were read, other messages may have become the last ones.
  const newer = conversations.flatMap(({ latest }) => (known.has(latest.id) ? [] : [latest]));
  for (const message of newer.length > 0 ? await readMessages(newer) : [])
    known.set(message?.copy.id, message);
  const shown = conversations.flatMap((conversation) => {
    const message = known.get(conversation.latest.id);
    return message ? [{ conversation, latest: { ...message, copy: conversation.latest } }] : [];
  });
  const { userId } = mailbox;
  const people = await nameParticipants(
    shown.map(({ conversation, latest }) => addPeople(userId, conversation.people, latest.message)),
    shown.map(({ latest }) => latest),
  );
  return shown.map((one, at) => ({ ...one, people: people[at] ?? [] }));
};

/** Lists a page of a user's conversations, the most recent first, with the total. */
export const listConversations = async (
  userId: number,
  request: PageRequest,
  pending?: Pending,
): Promise<ListResult<FoundConversation>> => {
  const mailbox = await openMailbox(userId, pending);
  const { items, ...page } = await readPage(
    mailbox.queries.conversations,
    request,
    `conversations#${userId}`,
  );
  const found = await readConversationEntries(mailbox, items.map(parseCopy));
  return { ...page, items: found, total: mailbox.counters.conversations, totalIsExact: true };
};

/**
 * Reads the copies of a conversation. The newest is at their end whatever its id, so that a cursor names its own key: there it
 * is once another is newer.
 */
const readCopies =
  (mailbox: Mailbox, conversationId: number): Source =>
  async (count, from, isReversed) => {
    const { userId } = mailbox;
    const query = inDirection(mailbox.queryConversation(conversationId), isReversed);
    const items = await queryItems(query, count, from);
    const copies = items.map((item) => {
      const copy = toCopy(item);
      return { ...copy, ...messageKeys.copy.at({ userId, conversationId, id: copy.id }) };
    });
    // One that has moved meanwhile may be there twice.
    const byId = new Map(copies.map((copy) => [copy.id, copy]));
    return { items: [...byId.values()].filter(({ sk }) => sk !== from?.['sk']) };
  };

/**
 * Lists a page of a user's messages in a conversation, newest first, with the total and everyone else of it.
 * @throws AppError NOT_FOUND if the user has no messages in it; VALIDATION_ERROR for `cursor` or `page`
 */
export const listConversation = async (
  userId: number,
  id: number,
  request: PageRequest,
  pending?: Pending,
): Promise<ListResult<FoundMessage> & Pick<FoundConversation, 'people'>> => {
  const mailbox = await openMailbox(userId, pending);
  const [page, [conversation]] = await Promise.all([
    readPageFrom(readCopies(mailbox, id), false, request, `conversation#${userId}#${id}`),
    mailbox.readConversations([id]),
  ]);
  if (!conversation) throw notFound('conversation');
  const shown = toPage(page, await readMessages(page.items.map(toCopy)));
  const [first] = shown.items;
  // One stored before its people were kept has those of its last message.
  const ids = first ? addPeople(userId, conversation.people, first.message) : conversation.people;
  const [people = []] = await nameParticipants([ids], shown.items);
  return { ...shown, people, total: conversation.messages, totalIsExact: true };
};
