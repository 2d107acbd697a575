import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { versionCondition } from '../../../shared/db/field-update.ts';
import type { Key } from '../../../shared/db/key.ts';
import { createItemWrite, deleteItemWrite, type Write } from '../../../shared/db/transaction.ts';
import { type ListQuery, startAt } from '../../../shared/lists/pagination.ts';
import { messageKeys } from './keys.ts';
import {
  type Conversation,
  isRead,
  isUnread,
  type MailboxCopy,
  type MailboxName,
} from './message.ts';

/*
 * A user's messages, all in the user's partition. A copy has an item in its mailbox (`INBOX#`, `SENT#`; a message to oneself
 * is in both) and an index entry in its conversation (`COPY#`); a received one also has an entry among the unread or the
 * read messages (`UNREAD#`, `READ#`). A conversation has an item with its counts (`CONVERSATION#`) and an index entry by its
 * newest copy (`LATEST#`). Each change of a copy updates all of these and the mailbox counters in one transaction, on the
 * condition that copy and conversation are unchanged. So each list is one query, and each count is one small item.
 */

/** The numbers of a user's messages and conversations. `both` counts messages in both mailboxes. */
export interface Mailbox {
  readonly inbox: number;
  readonly sent: number;
  readonly both: number;
  readonly unread: number;
  readonly conversations: number;
}

const none: Mailbox = { inbox: 0, sent: 0, both: 0, unread: 0, conversations: 0 };

/** Reads a user's counters with a consistent read. */
export const readMailbox = async (userId: number): Promise<Mailbox> => {
  const [item] = await batchGet([messageKeys.mailbox.at({ userId })]);
  return { ...none, ...(item as Partial<Mailbox> | undefined) };
};

const getCounts = (
  copy: MailboxCopy | undefined,
  conversation: Conversation | undefined,
): Mailbox => {
  const isIn = (box: MailboxName) => Number(copy?.boxes.includes(box) ?? false);
  return {
    inbox: isIn('inbox'),
    sent: isIn('sent'),
    both: isIn('inbox') * isIn('sent'),
    unread: Number(isUnread(copy)),
    conversations: Number(conversation !== undefined),
  };
};

const countersWrite = (userId: number, before: Mailbox, after: Mailbox): Write | undefined => {
  const names = Object.keys(none) as (keyof Mailbox)[];
  const changed = names.filter((name) => before[name] !== after[name]);
  if (changed.length === 0) return undefined;
  return {
    Update: {
      TableName: tableName(),
      Key: messageKeys.mailbox.at({ userId }),
      UpdateExpression: `ADD ${changed.map((name) => `#${name} :${name}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(changed.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        changed.map((name) => [`:${name}`, after[name] - before[name]]),
      ),
    },
  };
};

/** Returns the condition that a copy exists and is read or unread as before. */
const isUnchanged = ({ readAt }: MailboxCopy) => ({
  TableName: tableName(),
  ConditionExpression: `attribute_exists(pk) AND ${readAt === undefined ? 'attribute_not_exists(readAt)' : 'readAt = :seen'}`,
  ...(readAt !== undefined && { ExpressionAttributeValues: { ':seen': readAt } }),
});

const boxWrite = (
  key: Key,
  box: MailboxName,
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

/** Returns the index entry of a copy, which lacks the time of reading. */
const toEntry = ({ readAt: _, ...entry }: MailboxCopy) => entry;

/** Returns the write that adds a copy to the list of those that match `belongs`, or removes it. */
const listWrite = (
  key: Key,
  belongs: (copy: MailboxCopy | undefined) => boolean,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  if (belongs(before) === belongs(after)) return undefined;
  return after && belongs(after) ? createItemWrite(key, toEntry(after)) : deleteItemWrite(key);
};

const conversationEntryWrite = (
  userId: number,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  if (before && after) return undefined;
  if (before) return removeFromConversation(userId, before);
  const { conversationId, id } = after as MailboxCopy;
  return createItemWrite(
    messageKeys.copy.at({ userId, conversationId, id }),
    toEntry(after as MailboxCopy),
  );
};

const copyWrites = (
  userId: number,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
) => {
  const { id } = (after ?? before) as MailboxCopy;
  const inBox = (box: MailboxName) =>
    boxWrite(messageKeys[box].at({ userId, id }), box, before, after);
  return {
    inbox: inBox('inbox'),
    sent: inBox('sent'),
    unread: listWrite(messageKeys.unread.at({ userId, id }), isUnread, before, after),
    read: listWrite(messageKeys.read.at({ userId, id }), isRead, before, after),
    inConversation: conversationEntryWrite(userId, before, after),
  };
};

/** Returns the write that removes a copy from its conversation, on the condition that it exists, so that it counts once. */
export const removeFromConversation = (
  userId: number,
  { conversationId, id }: MailboxCopy,
): Write => ({
  Delete: {
    TableName: tableName(),
    Key: messageKeys.copy.at({ userId, conversationId, id }),
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
    conversation: conversationWrite(messageKeys.conversation.at({ userId, id }), seen, next),
    formerLatest:
      hasMoved && seen
        ? deleteItemWrite(messageKeys.byLatest.at({ userId, latestId: seen.latestId }))
        : undefined,
    latest:
      hasMoved && latest
        ? createItemWrite(messageKeys.byLatest.at({ userId, latestId: latest.id }), toEntry(latest))
        : undefined,
  };
};

/** Returns the writes that add a copy to a user's conversation. They fail if the conversation has changed since. */
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
    mailbox: countersWrite(userId, getCounts(undefined, seen), getCounts(copy, next)),
  };
};

/**
 * Returns the writes that remove a copy from a user's conversation. They fail if either has changed since. If the copy is
 * the newest, `latest` is the newest one left.
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
    mailbox: countersWrite(userId, getCounts(copy, seen), getCounts(undefined, next)),
  };
};

/** Returns the writes that mark a copy as read or unread. They fail if it has changed since. */
export const markCopy = (userId: number, before: MailboxCopy, after: MailboxCopy) => ({
  ...copyWrites(userId, before, after),
  // No version condition, so that concurrent reads in a conversation don't conflict.
  conversation: {
    Update: {
      TableName: tableName(),
      Key: messageKeys.conversation.at({ userId, id: before.conversationId }),
      UpdateExpression: 'ADD unread :unread, version :one',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':unread': Number(isUnread(after)) - Number(isUnread(before)),
        ':one': 1,
      },
    },
  } satisfies Write,
  mailbox: countersWrite(userId, getCounts(before, undefined), getCounts(after, undefined)),
});

const newestFirst = (prefix: Key): ListQuery => ({ ...startAt(prefix), ScanIndexForward: false });

/** Queries of a user's lists, newest first. */
export const queries = {
  inbox: (userId: number) => newestFirst(messageKeys.inbox.prefix({ userId })),
  sent: (userId: number) => newestFirst(messageKeys.sent.prefix({ userId })),
  unread: (userId: number) => newestFirst(messageKeys.unread.prefix({ userId })),
  read: (userId: number) => newestFirst(messageKeys.read.prefix({ userId })),
  conversations: (userId: number) => newestFirst(messageKeys.byLatest.prefix({ userId })),
  ofConversation: (userId: number, id: number) =>
    newestFirst(messageKeys.copy.prefix({ userId, conversationId: id })),
  /** Of all conversations. */
  copies: (userId: number) => newestFirst(messageKeys.copy.prefix({ userId })),
} as const;
