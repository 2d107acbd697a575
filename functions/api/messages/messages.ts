import { queryItems } from '../../../shared/db/query.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { readUsers } from '../../../shared/users/person.ts';
import { readContent, releaseSteps } from './content.ts';
import { markCopy, removeCopy, withCounts } from './copy-writes.ts';
import { messageKeys } from './keys.ts';
import { type Mailbox, openMailbox } from './mailbox.ts';
import {
  type MailboxCopy,
  type MessageDetail,
  notFound,
  retryOnConflict,
  type StoredMessage,
  toCopy,
} from './message.ts';
import { getSender, withCurrentNames } from './recipients.ts';

/** Adds sender, current names and content to a message; `undefined` if it was deleted. */
const readDetail = async (
  message: StoredMessage,
  copy: MailboxCopy,
  texts: Record<string, unknown> | undefined,
): Promise<MessageDetail | undefined> => {
  const [senders, [named], content] = await Promise.all([
    readUsers([message.senderId]),
    withCurrentNames([message]),
    readContent(message, texts),
  ]);
  if (content === undefined || !named) return undefined;
  return { message: named, copy, sender: getSender(senders, message), content };
};

/**
 * Returns a message that the user has a copy of.
 * @throws AppError NOT_FOUND
 */
export const read = async (userId: number, id: number): Promise<MessageDetail> => {
  const mailbox = await openMailbox(userId);
  const found = await mailbox.find(id, [messageKeys.content.at({ id })]);
  const detail = found && (await readDetail(found.message, found.copy, found.items[0]));
  if (!detail) throw notFound();
  return detail;
};

/**
 * Marks a message in the user's inbox as read or unread. Repeating it changes nothing.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR for `read: false` of a sent message
 */
export const mark = async (userId: number, id: number, isRead: boolean): Promise<MessageDetail> => {
  const mailbox = await openMailbox(userId);
  return retryOnConflict(async () => {
    const found = await mailbox.find(id, [messageKeys.content.at({ id })]);
    if (!found) throw notFound();
    const { message, copy, items } = found;
    const { readAt, ...unread } = copy;
    const isSentOnly = !copy.boxes.includes('inbox');
    if (isSentOnly && !isRead) {
      throw invalidField('read', 'cannot be false for a sent message');
    }
    if (isSentOnly || isRead === (readAt !== undefined)) return readDetail(message, copy, items[0]);
    const marked = isRead ? { ...copy, readAt: new Date().toISOString() } : unread;
    const [detail, [conversation]] = await Promise.all([
      readDetail(message, marked, items[0]),
      mailbox.readConversations([copy.conversationId]),
    ]);
    const isLatest = conversation?.latest.id === id;
    const change = markCopy(userId, message, copy, marked, isLatest);
    return (await transact(withCounts(userId, change))) ? undefined : detail;
  });
};

/** Finds the newest copy of a conversation other than the given one. */
const findNewestOther = async (mailbox: Mailbox, { conversationId, id }: MailboxCopy) => {
  const newest = await queryItems(mailbox.queryConversation(conversationId), 2, undefined);
  return newest.map(toCopy).find((copy) => copy.id !== id);
};

/**
 * Deletes a user's copy of a message from both mailboxes. Other users keep theirs.
 * @throws AppError NOT_FOUND
 */
export const remove = async (userId: number, id: number): Promise<void> =>
  removeFrom(await openMailbox(userId), id);

/**
 * Deletes the copy of a message in an open mailbox, as `remove` does.
 * @throws AppError NOT_FOUND
 */
export const removeFrom = async (mailbox: Mailbox, id: number): Promise<void> => {
  const { userId } = mailbox;
  await retryOnConflict(async () => {
    const found = await mailbox.find(id, [messageKeys.copyCount.at({ id })]);
    if (!found) throw notFound();
    const { message, items } = found;
    const [conversation] = await mailbox.readConversations([message.conversationId]);
    if (!conversation) return undefined;
    const isNewest = conversation.latest.id === id;
    const copy = isNewest ? conversation.latest : found.copy;
    // Read after the conversation, so that the version condition covers it.
    const hasOthers = isNewest && conversation.messages > 1;
    const latest = hasOthers ? await findNewestOther(mailbox, copy) : undefined;
    if (hasOthers && !latest) return undefined;
    const refused = await transact([
      ...withCounts(userId, removeCopy(userId, copy, conversation, latest)),
      ...releaseSteps(message, items[0]),
    ]);
    return refused ? undefined : true;
  });
};
