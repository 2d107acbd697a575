import { batchGet } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { queryItems } from '../../../shared/lists/pagination.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { readContent, releaseMessage } from './content.ts';
import { deliverPending } from './delivery.ts';
import { markCopy, queries, removeCopy } from './mailbox.ts';
import {
  type Conversation,
  type MailboxCopy,
  notFound,
  type StoredMessage,
  untilDone,
  type WholeMessage,
} from './message.ts';
import { withPresentNames } from './recipients.ts';

/** A message with a user's copy of it, and other items read along; `undefined` for who has none. */
export const find = async (userId: number, id: number, others: readonly Key[] = []) => {
  const [inbox, sent, message, ...items] = await batchGet([
    keys.messageInBox(userId, 'inbox', id),
    keys.messageInBox(userId, 'sent', id),
    keys.message(id),
    ...others,
  ]);
  const copy = (inbox ?? sent) as MailboxCopy | undefined;
  if (!copy || !message) return undefined;
  return { copy, message: message as unknown as StoredMessage, items };
};

/** A message with its sender and its whole content; `undefined` where it is gone. */
const toWhole = async (
  message: StoredMessage,
  copy: MailboxCopy,
  texts: Record<string, unknown> | undefined,
): Promise<WholeMessage | undefined> => {
  const [[sender], [named], content] = await Promise.all([
    batchGet([keys.user(message.senderId)]),
    withPresentNames([message]),
    readContent(message, texts),
  ]);
  if (content === undefined || !named) return undefined;
  return { message: named, copy, sender: toAuthor(sender), content };
};

/**
 * A message that the user has a copy of.
 * @throws AppError NOT_FOUND
 */
export const read = async (userId: number, id: number): Promise<WholeMessage> => {
  await deliverPending(userId);
  const found = await find(userId, id, [keys.messageContent(id)]);
  const whole = found && (await toWhole(found.message, found.copy, found.items[0]));
  if (!whole) throw notFound();
  return whole;
};

/**
 * Marks a message in the user's inbox as read, or as unread again. One that is so already stays as it is.
 * @throws AppError NOT_FOUND; VALIDATION_ERROR about `read` for one that the user has only sent
 */
export const mark = async (userId: number, id: number, isRead: boolean): Promise<WholeMessage> => {
  await deliverPending(userId);
  return untilDone(async () => {
    const found = await find(userId, id, [keys.messageContent(id)]);
    if (!found) throw notFound();
    const { message, copy, items } = found;
    const { readAt, ...unread } = copy;
    const isSentOnly = !copy.boxes.includes('inbox');
    if (isSentOnly && !isRead) {
      throw invalidField('read', 'can not be false of a message that you sent to others');
    }
    if (isSentOnly || isRead === (readAt !== undefined)) return toWhole(message, copy, items[0]);
    const marked = isRead ? { ...copy, readAt: new Date().toISOString() } : unread;
    if (await transact(markCopy(userId, copy, marked))) return undefined;
    return toWhole(message, marked, items[0]);
  });
};

/** The newest copy that a user has of a conversation beside one. */
const newestBeside = async (userId: number, { conversationId, id }: MailboxCopy) => {
  const newest = await queryItems(queries.ofConversation(userId, conversationId), 2, undefined);
  return newest.find((item) => item['id'] !== id) as MailboxCopy | undefined;
};

/** Takes a copy from a user, who has it no more; `undefined` where it or its conversation has changed meanwhile. */
const removeSeen = async (
  userId: number,
  copy: MailboxCopy,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [item, count] = await batchGet([
    keys.conversation(userId, copy.conversationId),
    keys.messageCopies(copy.id),
  ]);
  if (!item || !count) return undefined;
  const conversation = item as unknown as Conversation;
  // Read after the conversation, whose version then vouches for it.
  const isLast = conversation.latestId === copy.id && conversation.messages > 1;
  const latest = isLast ? await newestBeside(userId, copy) : undefined;
  if (isLast && !latest) return undefined;
  const failed = await transact<string>({
    ...removeCopy(userId, copy, conversation, latest),
    ...releaseMessage(message, count['copies'] as number),
  });
  return failed ? undefined : true;
};

/**
 * Deletes a user's copy of a message, from both boxes; the others keep theirs.
 * @throws AppError NOT_FOUND
 */
export const remove = async (userId: number, id: number): Promise<void> => {
  await deliverPending(userId);
  await untilDone(async () => {
    const found = await find(userId, id);
    if (!found) throw notFound();
    return removeSeen(userId, found.copy, found.message);
  });
};
