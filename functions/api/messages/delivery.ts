import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import { queryItems, startAt } from '../../../shared/lists/pagination.ts';
import { createNotification } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { releaseMessage } from './content.ts';
import { addCopy } from './mailbox.ts';
import { type Conversation, type MailboxCopy, type StoredMessage, untilDone } from './message.ts';

/*
 * A transaction holds 100 items, and a message to 50 users changes many more: so it is sent in two steps
 * (decisions.md#messages). The transaction
 * that sends it writes one small item into the partition of each recipient, a delivery: from then on all have the message.
 * Another transaction for each recipient replaces the delivery by the copy, the counts and the notification. It runs
 * before anything is read of that user's messages or notifications, whoever reads first, and in a job for those who don't
 * look. So nobody ever sees a message that some have and others have not, nor a count that is behind.
 */

/** The write that has a message wait for a user. */
export const queueDelivery = (userId: number, { id }: StoredMessage): Write =>
  createItemWrite(keys.delivery(userId, id), { id });

const claimDelivery = (userId: number, id: number): Write => ({
  Delete: {
    TableName: tableName(),
    Key: keys.delivery(userId, id),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

const toNotificationContent = ({ id, subject, excerpt, senderId }: StoredMessage) =>
  notificationTemplates.messageReceived({ id, subject: subject ?? excerpt }, senderId);

/** Puts a message into the inbox of a user for whom it waits, once however many do so. */
const deliverTo = async (userId: number, message: StoredMessage): Promise<void> => {
  const { id, conversationId, senderId } = message;
  const copy: MailboxCopy = { id, conversationId, senderId, boxes: ['inbox'] };
  await untilDone(async () => {
    const [user, conversation, box] = await batchGet([
      keys.user(userId),
      keys.conversation(userId, conversationId),
      keys.notificationCounters(userId),
    ]);
    if (!user) return cancelDelivery(userId, message);
    const failed = await transact({
      delivery: claimDelivery(userId, id),
      ...addCopy(userId, copy, conversation as Conversation | undefined),
      ...createNotification(userId, box, toNotificationContent(message)),
    });
    return !failed || failed.delivery ? true : undefined;
  });
};

/** Takes back a message on its way to a user who is removed; `undefined` where others came between. */
export const cancelDelivery = async (
  userId: number,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [count] = await batchGet([keys.messageCopies(message.id)]);
  const failed = await transact<string>({
    delivery: claimDelivery(userId, message.id),
    ...releaseMessage(message, (count?.['copies'] as number | undefined) ?? 1),
  });
  return !failed || failed['delivery'] ? true : undefined;
};

/** The deliveries of a user that wait, the oldest first. */
export const listPendingDeliveries = (userId: number) =>
  startAt({ ...keys.delivery(userId, 0), sk: 'DELIVERY#' });

const readMessages = async (ids: readonly number[]): Promise<StoredMessage[]> => {
  const messages = await batchGet(ids.map(keys.message));
  return messages.filter((message) => message !== undefined) as unknown as StoredMessage[];
};

const atOnce = 25;
const maxRounds = 40;
/** How long a request works on what waits. */
const budgetMs = 5_000;

const tooManyDeliveriesError = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Many messages have come in: try again in a moment');

/**
 * Puts every message that waits for a user into the inbox, with its notification. Whoever reads of a user's messages or
 * notifications calls it first. It costs one small query where none waits.
 * @throws AppError SERVICE_UNAVAILABLE when it is too much for one request: the next goes on
 */
export const deliverPending = async (userId: number): Promise<void> => {
  const deadline = Date.now() + budgetMs;
  for (let round = 0; round < maxRounds; round++) {
    const found = await queryItems(listPendingDeliveries(userId), atOnce, undefined);
    // One after another, because they all move the same counters.
    for (const message of await readMessages(found.map(({ id }) => id as number))) {
      if (Date.now() > deadline) throw tooManyDeliveriesError();
      await deliverTo(userId, message);
    }
    // What was sent since then was sent while this was asked for.
    if (found.length < atOnce) return;
  }
  throw tooManyDeliveriesError();
};

const usersAtOnce = 10;

/** Puts a message into the inboxes of those for whom it still waits, however often it is asked for. */
export const deliver = async ({
  id,
  userIds,
}: {
  readonly id: number;
  readonly userIds: readonly number[];
}): Promise<void> => {
  const [message, ...deliveries] = await batchGet([
    keys.message(id),
    ...userIds.map((userId) => keys.delivery(userId, id)),
  ]);
  const left = userIds.filter((_, at) => deliveries[at] !== undefined);
  for (let at = 0; at < left.length; at += usersAtOnce) {
    await Promise.all(
      left
        .slice(at, at + usersAtOnce)
        .map((userId) => deliverTo(userId, message as unknown as StoredMessage)),
    );
  }
};
