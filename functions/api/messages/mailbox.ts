import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { versionCondition } from '../../../shared/db/field-update.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../shared/db/transaction.ts';
import { type ListQuery, startAt } from '../../../shared/lists/pagination.ts';
import {
  boxes,
  type Conversation,
  isRead,
  isUnread,
  type MailboxCopy,
  type NotificationCounters,
} from './message.ts';

/*
 * What a user has of messages, all of it in the user's partition. A copy stands in its box (`INBOX#`, `SENT#`, one to
 * oneself in both), one that came in also among the unread or the read ones (`UNREAD#`, `READ#`), and each among those of its
 * conversation (`COPY#`); a conversation has an item with its counts (`CONVERSATION#`) and stands among the user's others by
 * its newest copy (`LATEST#`). Whatever changes a copy changes all of this and the counters of the mailbox in one
 * transaction, which has the copy and the conversation as they were seen for its conditions. So each list is one query in
 * its order, and each count is one small item.
 */

/** How many messages and conversations a user has. `both` counts the messages that are in both boxes. */
export interface Mailbox {
  readonly inbox: number;
  readonly sent: number;
  readonly both: number;
  readonly unread: number;
  readonly conversations: number;
}

const none: Mailbox = { inbox: 0, sent: 0, both: 0, unread: 0, conversations: 0 };

/** A user's counters, strongly consistent. */
export const readMailbox = async (userId: number): Promise<Mailbox> => {
  const [item] = await batchGet([keys.mailbox(userId)]);
  return { ...none, ...(item as Partial<Mailbox> | undefined) };
};

const getCounts = (
  copy: MailboxCopy | undefined,
  conversation: Conversation | undefined,
): Mailbox => {
  const isIn = (box: NotificationCounters) => Number(copy?.boxes.includes(box) ?? false);
  return {
    inbox: isIn('inbox'),
    sent: isIn('sent'),
    both: isIn('inbox') * isIn('sent'),
    unread: Number(isUnread(copy)),
    conversations: Number(conversation !== undefined),
  };
};

const moveCounts = (userId: number, before: Mailbox, after: Mailbox): Write | undefined => {
  const names = Object.keys(none) as (keyof Mailbox)[];
  const moved = names.filter((name) => before[name] !== after[name]);
  if (moved.length === 0) return undefined;
  return {
    Update: {
      TableName: tableName(),
      Key: keys.mailbox(userId),
      UpdateExpression: `ADD ${moved.map((name) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(moved.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        moved.map((name) => [`:${name}`, after[name] - before[name]]),
      ),
    },
  };
};

/** The copy is there, and read or unread as it was seen. */
const isUnchanged = ({ readAt }: MailboxCopy) => ({
  TableName: tableName(),
  ConditionExpression: `attribute_exists(pk) AND ${readAt === undefined ? 'attribute_not_exists(readAt)' : 'readAt = :seen'}`,
  ...(readAt !== undefined && { ExpressionAttributeValues: { ':seen': readAt } }),
});

const boxWrite = (
  key: Key,
  box: NotificationCounters,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  const isIn = after?.boxes.includes(box);
  if (!before?.boxes.includes(box))
    return isIn ? createItemWrite(key, after as MailboxCopy) : undefined;
  return isIn
    ? { Put: { ...isUnchanged(before), Item: { ...after, ...key } } }
    : { Delete: { ...isUnchanged(before), Key: key } };
};

/** A place on a list, which doesn't say when the copy was read. */
const toEntry = ({ readAt: _, ...place }: MailboxCopy) => place;

/** The write by which a copy comes onto a list of those that `belongs` holds of, or leaves it. */
const listWrite = (
  key: Key,
  belongs: (copy: MailboxCopy | undefined) => boolean,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  if (belongs(before) === belongs(after)) return undefined;
  return after && belongs(after) ? createItemWrite(key, toEntry(after)) : deleteItemWrite(key);
};

const placeWrite = (
  userId: number,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  if (before && after) return undefined;
  if (before) return removeFromConversation(userId, before);
  const { conversationId, id } = after as MailboxCopy;
  return createItemWrite(
    keys.messageInConversation(userId, conversationId, id),
    toEntry(after as MailboxCopy),
  );
};

const copyWrites = (
  userId: number,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
) => {
  const { id } = (after ?? before) as MailboxCopy;
  const inBox = (box: NotificationCounters) =>
    boxWrite(keys.messageInBox(userId, box, id), box, before, after);
  return {
    inbox: inBox('inbox'),
    sent: inBox('sent'),
    unread: listWrite(keys.unreadMessage(userId, id), isUnread, before, after),
    read: listWrite(keys.readMessage(userId, id), isRead, before, after),
    inConversation: placeWrite(userId, before, after),
  };
};

/**
 * The write that takes a user's copy out of its conversation, with the condition that it is there: with it the user's hold
 * on the message ends, once.
 */
export const removeFromConversation = (
  userId: number,
  { conversationId, id }: MailboxCopy,
): Write => ({
  Delete: {
    TableName: tableName(),
    Key: keys.messageInConversation(userId, conversationId, id),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

const conversationWrite = (
  key: Key,
  seen: Conversation | undefined,
  next: Conversation | undefined,
): Write | undefined => {
  if (!seen) return next && createItemWrite(key, next);
  const { expression, values } = versionCondition(seen.version);
  const condition = {
    TableName: tableName(),
    ConditionExpression: expression,
    ...(values && { ExpressionAttributeValues: { ...values } }),
  };
  return next
    ? { Put: { ...condition, Item: { ...next, ...key } } }
    : { Delete: { ...condition, Key: key } };
};

const conversationWrites = (
  userId: number,
  seen: Conversation | undefined,
  next: Conversation | undefined,
  latest: MailboxCopy | undefined,
) => {
  const { id } = (next ?? seen) as Conversation;
  const hasMoved = seen?.latestId !== next?.latestId;
  return {
    conversation: conversationWrite(keys.conversation(userId, id), seen, next),
    formerLatest:
      hasMoved && seen
        ? deleteItemWrite(keys.conversationByLatest(userId, seen.latestId))
        : undefined,
    latest:
      hasMoved && latest
        ? createItemWrite(keys.conversationByLatest(userId, latest.id), toEntry(latest))
        : undefined,
  };
};

/** The writes that give a user a copy, in a conversation as it was seen; where one fails it has changed since. */
export const addCopy = (userId: number, copy: MailboxCopy, seen: Conversation | undefined) => {
  const isLatest = !seen || copy.id > seen.latestId;
  const next: Conversation = {
    id: copy.conversationId,
    latestId: isLatest ? copy.id : seen.latestId,
    messages: (seen?.messages ?? 0) + 1,
    unread: (seen?.unread ?? 0) + Number(isUnread(copy)),
    version: (seen?.version ?? 0) + 1,
  };
  return {
    ...copyWrites(userId, undefined, copy),
    ...conversationWrites(userId, seen, next, isLatest ? copy : undefined),
    mailbox: moveCounts(userId, getCounts(undefined, seen), getCounts(copy, next)),
  };
};

/**
 * The writes that take a copy from a user, in a conversation as it was seen; where one fails either has changed since.
 * `latest` is the newest copy that is left of the conversation, if the copy was that.
 */
export const removeCopy = (
  userId: number,
  copy: MailboxCopy,
  seen: Conversation,
  latest: MailboxCopy | undefined,
) => {
  const next: Conversation | undefined =
    seen.messages === 1
      ? undefined
      : {
          ...seen,
          latestId: latest?.id ?? seen.latestId,
          messages: seen.messages - 1,
          unread: seen.unread - Number(isUnread(copy)),
          version: seen.version + 1,
        };
  return {
    ...copyWrites(userId, copy, undefined),
    ...conversationWrites(userId, seen, next, latest),
    mailbox: moveCounts(userId, getCounts(copy, seen), getCounts(undefined, next)),
  };
};

/** The writes that make a copy read (`readAt`) or unread (`undefined`); where one fails it has changed since. */
export const markCopy = (userId: number, before: MailboxCopy, after: MailboxCopy) => ({
  ...copyWrites(userId, before, after),
  // Many of a conversation are read at once: none of them may have to wait for the version of another.
  conversation: {
    Update: {
      TableName: tableName(),
      Key: keys.conversation(userId, before.conversationId),
      UpdateExpression: 'ADD unread :unread, version :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':unread': Number(isUnread(after)) - Number(isUnread(before)),
        ':one': 1,
      },
    },
  } satisfies Write,
  mailbox: moveCounts(userId, getCounts(before, undefined), getCounts(after, undefined)),
});

const newestFirst = (key: Key, ids: 1 | 2 = 1): ListQuery => {
  const prefix = key.sk.split('#').slice(0, ids).join('#');
  return { ...startAt({ pk: key.pk, sk: `${prefix}#` }), ScanIndexForward: false };
};

/** The queries of a user's lists, newest first. */
export const queries = {
  inbox: (userId: number) => newestFirst(keys.messageInBox(userId, boxes[0], 0)),
  sent: (userId: number) => newestFirst(keys.messageInBox(userId, boxes[1], 0)),
  unread: (userId: number) => newestFirst(keys.unreadMessage(userId, 0)),
  read: (userId: number) => newestFirst(keys.readMessage(userId, 0)),
  conversations: (userId: number) => newestFirst(keys.conversationByLatest(userId, 0)),
  ofConversation: (userId: number, id: number) =>
    newestFirst(keys.messageInConversation(userId, id, 0), 2),
  /** Of all conversations. */
  copies: (userId: number) => newestFirst(keys.messageInConversation(userId, 0, 0)),
} as const;
