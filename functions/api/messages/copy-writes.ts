import { tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  type Write,
} from '../../../shared/db/transaction.ts';
import { writeVersion } from '../../../shared/db/versioned-record.ts';
import { countMailbox } from './counters.ts';
import { messageKeys } from './keys.ts';
import {
  boxes,
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

/** Writes of one transaction that fails if the copy or its conversation has changed. */
type CopySteps = readonly Step<'changed'>[];

const toSteps = (...writes: readonly (Write | undefined)[]): CopySteps =>
  writes.map((write) => ({ write, refused: 'changed' }));

/** Returns the condition that a copy exists and is read or unread as before. */
const isUnchanged = ({ readAt }: MailboxCopy) => ({
  TableName: tableName(),
  ConditionExpression: `attribute_exists(pk) AND ${readAt === undefined ? 'attribute_not_exists(readAt)' : 'readAt = :seen'}`,
  ...(readAt !== undefined && { ExpressionAttributeValues: { ':seen': readAt } }),
});

const isIn = (box: MailboxName) => (copy: MailboxCopy | undefined) =>
  copy?.boxes.includes(box) === true;

/** Returns the write that adds a copy to a mailbox, changes or removes it there. */
const boxWrite = (
  key: Key,
  box: MailboxName,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  const next = isIn(box)(after) ? after : undefined;
  if (!before?.boxes.includes(box)) return next && createItemWrite(key, next);
  return next
    ? { Put: { ...isUnchanged(before), Item: { ...next, ...key } } }
    : { Delete: { ...isUnchanged(before), Key: key } };
};

/** Returns the write that adds the index entry of a copy, which lacks the time of reading. */
const addEntry = (key: Key, { readAt: _, ...entry }: MailboxCopy): Write =>
  createItemWrite(key, entry);

/** Returns the write that adds a copy to the list of those that match `belongs`, or removes it. */
const listWrite = (
  key: Key,
  belongs: (copy: MailboxCopy | undefined) => boolean,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): Write | undefined => {
  if (belongs(before) === belongs(after)) return undefined;
  return after && belongs(after) ? addEntry(key, after) : deleteItemWrite(key);
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

/** Returns the writes of all items of a copy but its conversation and the counters. */
const copyWrites = (
  userId: number,
  { id, conversationId }: MailboxCopy,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
): (Write | undefined)[] => {
  const parts = { userId, id };
  const add = () => after && addEntry(messageKeys.copy.at({ ...parts, conversationId }), after);
  return [
    ...boxes.map((box) => boxWrite(messageKeys[box].at(parts), box, before, after)),
    listWrite(messageKeys.unread.at(parts), isUnread, before, after),
    listWrite(messageKeys.read.at(parts), isRead, before, after),
    before ? (after ? undefined : removeFromConversation(userId, before)) : add(),
  ];
};

/** Returns the writes of a conversation. `latest` is its newest copy afterwards, if that has changed. */
const conversationWrites = (
  userId: number,
  id: number,
  seen: Conversation | undefined,
  next: Conversation | undefined,
  latest: MailboxCopy | undefined,
): (Write | undefined)[] => {
  const hasMoved = seen?.latestId !== next?.latestId;
  const keyOf = (latestId: number) => messageKeys.byLatest.at({ userId, latestId });
  return [
    writeVersion(messageKeys.conversation.at({ userId, id }), seen, next),
    hasMoved && seen ? deleteItemWrite(keyOf(seen.latestId)) : undefined,
    hasMoved && latest ? addEntry(keyOf(latest.id), latest) : undefined,
  ];
};

/** Returns the steps that add a copy to a user's conversation. */
export const addCopy = (
  userId: number,
  copy: MailboxCopy,
  seen: Conversation | undefined,
): CopySteps => {
  const isLatest = !seen || copy.id > seen.latestId;
  const next: Conversation = {
    id: copy.conversationId,
    latestId: isLatest ? copy.id : seen.latestId,
    messages: (seen?.messages ?? 0) + 1,
    unread: (seen?.unread ?? 0) + Number(isUnread(copy)),
    version: (seen?.version ?? 0) + 1,
  };
  return toSteps(
    ...copyWrites(userId, copy, undefined, copy),
    ...conversationWrites(userId, next.id, seen, next, isLatest ? copy : undefined),
    ...countMailbox(userId, { conversation: seen }, { copy, conversation: next }),
  );
};

/** Returns the steps that remove a copy from a user's conversation. If it is the newest, `latest` is the newest one left. */
export const removeCopy = (
  userId: number,
  copy: MailboxCopy,
  seen: Conversation,
  latest: MailboxCopy | undefined,
): CopySteps => {
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
  return toSteps(
    ...copyWrites(userId, copy, copy, undefined),
    ...conversationWrites(userId, seen.id, seen, next, latest),
    ...countMailbox(userId, { copy, conversation: seen }, { conversation: next }),
  );
};

/** Returns the steps that mark a copy as read or unread. */
export const markCopy = (userId: number, before: MailboxCopy, after: MailboxCopy): CopySteps =>
  toSteps(
    ...copyWrites(userId, before, before, after),
    // No version condition, so that concurrent reads in a conversation don't conflict.
    {
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
    },
    ...countMailbox(userId, { copy: before }, { copy: after }),
  );
