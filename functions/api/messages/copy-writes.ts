import { tableName } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import type { Key } from '../../../shared/db/key.ts';
import {
  createItemWrite,
  deleteItemWrite,
  type Step,
  type Write,
} from '../../../shared/db/transaction.ts';
import { writeVersion } from '../../../shared/db/versioned-record.ts';
import { type Amounts, countWrite } from '../../../shared/notifications/counters.ts';
import { countMailbox } from './counters.ts';
import { messageKeys } from './keys.ts';
import {
  type Conversation,
  isRead,
  isUnread,
  type MailboxCopy,
  type StoredConversation,
  type StoredMessage,
} from './message.ts';
import { addPeople } from './people.ts';
import { getWords } from './words.ts';

/*
 * A user's messages, all in the user's partition. A copy has an item in its conversation (`COPY#`), and an index entry in each
 * of its lists: a received one among the unread or the read messages (`UNREAD#`, `READ#`), which are the inbox together; a
 * sent one in `SENT#`; a message to oneself in both. These have the words of the message, too, by which a search filters them. The newest copy of a conversation has the conversation's counts, at the end
 * of its copies, and an entry among the conversations (`LATEST#`). Each change of a copy updates all of these and the mailbox
 * counters in one transaction, on the condition that copy and conversation are unchanged. So each list is one query, the
 * inbox two, each count is part of a small item, and the first message of a conversation takes as few items as it can.
 */

type CopyStep = Step<'changed'>;

/** Writes of one transaction that fails if the copy or its conversation has changed, and what they add to the counters. */
export interface CopyChange {
  readonly steps: readonly CopyStep[];
  readonly counts: Amounts;
}

const toSteps = (...writes: readonly (Write | undefined)[]): readonly CopyStep[] =>
  writes.map((write) => ({ write, refused: 'changed' }));

/** Returns the steps of a change with the write that counts it. */
export const withCounts = (userId: number, { steps, counts }: CopyChange): readonly CopyStep[] => [
  ...steps,
  ...toSteps(countWrite(userId, counts)),
];

/** Returns the condition that a copy exists and is read or unread as before. */
const isUnchanged = ({ id, readAt }: MailboxCopy) => ({
  ConditionExpression: `id = :id AND ${readAt === undefined ? 'attribute_not_exists(readAt)' : 'readAt = :seen'}`,
  ExpressionAttributeValues: { ':id': id, ...(readAt !== undefined && { ':seen': readAt }) },
});

const isSent = (copy: MailboxCopy | undefined): boolean => copy?.boxes.includes('sent') === true;

/** Returns the write that adds a copy to the list of those that match `belongs`, changes or removes it there. */
const listWrite = (
  key: Key,
  belongs: (copy: MailboxCopy | undefined) => boolean,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
  words: string,
): Write | undefined => {
  const next = belongs(after) ? { ...after, ...(words !== '' && { words }) } : undefined;
  if (!belongs(before)) return next && createItemWrite(key, next);
  if (!next) return deleteItemWrite(key);
  if (after?.readAt === before?.readAt) return undefined;
  return { Put: { TableName: tableName(), Item: { ...next, ...key } } };
};

/** Returns the writes of a copy's entries in the lists of messages. */
const listWrites = (
  userId: number,
  before: MailboxCopy | undefined,
  after: MailboxCopy | undefined,
  words = '',
): (Write | undefined)[] => {
  const parts = { userId, id: (after ?? before)?.id ?? 0 };
  return [
    listWrite(messageKeys.unread.at(parts), isUnread, before, after, words),
    listWrite(messageKeys.read.at(parts), isRead, before, after, words),
    listWrite(messageKeys.sent.at(parts), isSent, before, after, words),
  ];
};

const copyKey = (userId: number, { conversationId, id }: MailboxCopy): Key =>
  messageKeys.copy.at({ userId, conversationId, id });

const conversationKey = (userId: number, { conversationId }: MailboxCopy): Key =>
  messageKeys.conversation.at({ userId, id: conversationId });

const toStored = ({ latest, ...numbers }: Conversation): StoredConversation => ({
  ...latest,
  ...numbers,
});

/** Returns the writes of a conversation, with its entry among the conversations. */
const conversationWrites = (
  userId: number,
  { conversationId }: MailboxCopy,
  seen: Conversation | undefined,
  next: Conversation | undefined,
): (Write | undefined)[] => {
  const key = messageKeys.conversation.at({ userId, id: conversationId });
  const entryKey = ({ latest }: Conversation) =>
    messageKeys.byLatest.at({ userId, latestId: latest.id });
  const hasMoved = seen?.latest.id !== next?.latest.id;
  const { readAt: _, ...entry }: Partial<MailboxCopy> = next?.latest ?? {};
  const people = next?.people ?? [];
  return [
    writeVersion(key, seen, next && toStored(next)),
    hasMoved && seen ? deleteItemWrite(entryKey(seen)) : undefined,
    hasMoved && next ? createItemWrite(entryKey(next), { ...entry, people }) : undefined,
  ];
};

/** Returns the change that adds a copy of a message to a user's conversation. */
export const addCopy = (
  userId: number,
  message: StoredMessage,
  copy: MailboxCopy,
  seen: Conversation | undefined,
): CopyChange => {
  const isLatest = !seen || copy.id > seen.latest.id;
  const next: Conversation = {
    latest: isLatest ? copy : seen.latest,
    messages: (seen?.messages ?? 0) + 1,
    unread: (seen?.unread ?? 0) + Number(isUnread(copy)),
    people: addPeople(userId, seen?.people ?? [], message),
    version: (seen?.version ?? 0) + 1,
  };
  const older = isLatest ? seen?.latest : copy;
  return {
    steps: toSteps(
      ...listWrites(userId, undefined, copy, getWords(message)),
      older && createItemWrite(copyKey(userId, older), older),
      ...conversationWrites(userId, copy, seen, next),
    ),
    counts: countMailbox({ conversation: seen }, { copy, conversation: next }),
  };
};

/**
 * Returns the change that removes a copy from a user's conversation. If it is the newest, `latest` is the newest one left, if
 * any.
 */
export const removeCopy = (
  userId: number,
  copy: MailboxCopy,
  seen: Conversation,
  latest: MailboxCopy = seen.latest,
): CopyChange => {
  const next: Conversation | undefined =
    seen.messages === 1
      ? undefined
      : {
          ...seen,
          latest,
          messages: seen.messages - 1,
          unread: seen.unread - Number(isUnread(copy)),
          version: seen.version + 1,
        };
  // The version guards the newest copy, and the state of the one that takes its place.
  const removed = copy.id === seen.latest.id ? next?.latest : copy;
  return {
    steps: toSteps(
      ...listWrites(userId, copy, undefined),
      removed && {
        Delete: {
          TableName: tableName(),
          Key: copyKey(userId, removed),
          ...isUnchanged(removed),
        },
      },
      ...conversationWrites(userId, copy, seen, next),
    ),
    counts: countMailbox({ copy, conversation: seen }, { conversation: next }),
  };
};

/** Returns the write that removes a copy as read, on the condition that it is still there, so that it counts once. */
export const removeStoredCopy = ({ pk, sk, id }: Item): Write => ({
  Delete: {
    TableName: tableName(),
    Key: { pk, sk },
    ConditionExpression: 'id = :id',
    ExpressionAttributeValues: { ':id': id },
  },
});

const markRead = (
  key: Key,
  before: MailboxCopy,
  { readAt }: MailboxCopy,
  counts: Readonly<Record<string, number>> = {},
): Write => {
  const { ConditionExpression, ExpressionAttributeValues } = isUnchanged(before);
  const names = Object.keys(counts);
  const add = names.map((name) => `${name} :${name}`).join(', ');
  return {
    Update: {
      TableName: tableName(),
      Key: key,
      UpdateExpression: `${readAt === undefined ? 'REMOVE readAt' : 'SET readAt = :readAt'}${add && ` ADD ${add}`}`,
      ConditionExpression,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ...(readAt !== undefined && { ':readAt': readAt }),
        ...Object.fromEntries(names.map((name) => [`:${name}`, counts[name]])),
      },
    },
  };
};

/** Returns the change that marks a copy as read or unread. `isLatest`: it is the newest of its conversation. */
export const markCopy = (
  userId: number,
  message: StoredMessage,
  before: MailboxCopy,
  after: MailboxCopy,
  isLatest: boolean,
): CopyChange => {
  const key = conversationKey(userId, before);
  const unread = Number(isUnread(after)) - Number(isUnread(before));
  // No version condition, so that concurrent reads in a conversation don't conflict.
  const changed = isLatest
    ? [markRead(key, before, after, { unread, version: 1 })]
    : [
        markRead(copyKey(userId, before), before, after),
        {
          Update: {
            TableName: tableName(),
            Key: key,
            UpdateExpression: 'ADD unread :unread, version :one',
            ConditionExpression: 'attribute_exists(pk)',
            ExpressionAttributeValues: { ':unread': unread, ':one': 1 },
          },
        },
      ];
  return {
    steps: toSteps(...listWrites(userId, before, after, getWords(message)), ...changed),
    counts: countMailbox({ copy: before }, { copy: after }),
  };
};
