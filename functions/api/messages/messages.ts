import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { queryItems } from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { readContent, releaseWrites } from './content.ts';
import { deliverPending } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { markCopy, queries, removeCopy } from './mailbox.ts';
import {
  type Conversation,
  type MailboxCopy,
  type MessageDetail,
  notFound,
  type StoredMessage,
  untilDone,
} from './message.ts';
import { withCurrentNames } from './recipients.ts';

/** Finds a message with a user's copy, and reads `others` along; `undefined` if the user has no copy. */
export const find = async (userId: number, id: number, others: readonly Key[] = []) => {
  const [inbox, sent, message, ...items] = await batchGet([
    messageKeys.inbox.at({ userId, id }),
    messageKeys.sent.at({ userId, id }),
    messageKeys.record.at({ id }),
    ...others,
  ]);
  const copy = (inbox ?? sent) as MailboxCopy | undefined;
  if (!copy || !message) return undefined;
  return { copy, message: message as unknown as StoredMessage, items };
};

/** Adds sender, current names and content to a message; `undefined` if it was deleted. */
const readDetail = async (
  message: StoredMessage,
  copy: MailboxCopy,
  texts: Record<string, unknown> | undefined,
): Promise<MessageDetail | undefined> => {
  const [[sender], [named], content] = await Promise.all([
    batchGet([userKeys.record.at({ id: message.senderId })]),
    withCurrentNames([message]),
    readContent(message, texts),
  ]);
  if (content === undefined || !named) return undefined;
  return { message: named, copy, sender: toAuthor(sender), content };
};

/**
 * Returns a message that the user has a copy of.
 * @throws AppError NOT_FOUND
 */
export const read = async (userId: number, id: number): Promise<MessageDetail> => {
  await deliverPending(userId);
  const found = await find(userId, id, [messageKeys.content.at({ id })]);
  const detail = found && (await readDetail(found.message, found.copy, found.items[0]));
  if (!detail) throw notFound();
  return detail;
};

/**
 * Marks a message in the user's inbox as read or unread. Repeating it changes nothing.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR for `read: false` of a sent message
 */
export const mark = async (userId: number, id: number, isRead: boolean): Promise<MessageDetail> => {
  await deliverPending(userId);
  return untilDone(async () => {
    const found = await find(userId, id, [messageKeys.content.at({ id })]);
    if (!found) throw notFound();
    const { message, copy, items } = found;
    const { readAt, ...unread } = copy;
    const isSentOnly = !copy.boxes.includes('inbox');
    if (isSentOnly && !isRead) {
      throw invalidField('read', 'cannot be false for a sent message');
    }
    if (isSentOnly || isRead === (readAt !== undefined)) return readDetail(message, copy, items[0]);
    const marked = isRead ? { ...copy, readAt: new Date().toISOString() } : unread;
    if (await transact(markCopy(userId, copy, marked))) return undefined;
    return readDetail(message, marked, items[0]);
  });
};

/** Finds the newest copy of a conversation other than the given one. */
const findNewestOther = async (userId: number, { conversationId, id }: MailboxCopy) => {
  const newest = await queryItems(queries.ofConversation(userId, conversationId), 2, undefined);
  return newest.find((item) => item['id'] !== id) as MailboxCopy | undefined;
};

/** Deletes a user's copy. Returns `undefined` if it or its conversation has changed. */
const deleteIfUnchanged = async (
  userId: number,
  copy: MailboxCopy,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [item, count] = await batchGet([
    messageKeys.conversation.at({ userId, id: copy.conversationId }),
    messageKeys.copyCount.at({ id: copy.id }),
  ]);
  if (!item || !count) return undefined;
  const conversation = item as unknown as Conversation;
  // Read after the conversation, so that the version condition covers it.
  const isNewest = conversation.latestId === copy.id && conversation.messages > 1;
  const latest = isNewest ? await findNewestOther(userId, copy) : undefined;
  if (isNewest && !latest) return undefined;
  const failed = await transact<string>({
    ...removeCopy(userId, copy, conversation, latest),
    ...releaseWrites(message, count['copies'] as number),
  });
  return failed ? undefined : true;
};

/**
 * Deletes a user's copy of a message from both mailboxes. Other users keep theirs.
 * @throws AppError NOT_FOUND
 */
export const remove = async (userId: number, id: number): Promise<void> => {
  await deliverPending(userId);
  await untilDone(async () => {
    const found = await find(userId, id);
    if (!found) throw notFound();
    return deleteIfUnchanged(userId, found.copy, found.message);
  });
};
