import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createItemWrite, named, transact, type Write } from '../../../shared/db/transaction.ts';
import { queryItems, startAt } from '../../../shared/lists/pagination.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { createNotification } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { releaseWrites } from './content.ts';
import { messageKeys } from './keys.ts';
import { addCopy } from './mailbox.ts';
import { type Conversation, type MailboxCopy, type StoredMessage, untilDone } from './message.ts';

/*
 * A transaction holds 100 items, but a message to 50 users changes more, so messages are sent in two steps. The transaction
 * that sends a message adds one small item, a delivery, to the partition of each recipient; from then on all have it.
 * Another transaction per recipient replaces the delivery by the copy, the counters and the notification. It runs before
 * any read of that user's messages or notifications, or in a job. So no one sees a message that only some recipients have,
 * or outdated counts (decisions.md#messages).
 */

/** Returns the write that queues a message for a user. */
export const queueDelivery = (userId: number, { id }: StoredMessage): Write =>
  createItemWrite(messageKeys.delivery.at({ userId, id }), { id });

const claimDelivery = (userId: number, id: number): Write => ({
  Delete: {
    TableName: tableName(),
    Key: messageKeys.delivery.at({ userId, id }),
    ConditionExpression: 'attribute_exists(pk)',
  },
});

const toNotificationContent = ({ id, subject, excerpt, senderId }: StoredMessage) =>
  notificationTemplates.messageReceived({ id, subject: subject ?? excerpt }, senderId);

/** Moves a queued message to a user's inbox, once even if called concurrently. */
const deliverTo = async (userId: number, message: StoredMessage): Promise<void> => {
  const { id, conversationId, senderId } = message;
  const copy: MailboxCopy = { id, conversationId, senderId, boxes: ['inbox'] };
  await untilDone(async () => {
    const [user, conversation, counters] = await batchGet([
      userKeys.record.at({ id: userId }),
      messageKeys.conversation.at({ userId, id: conversationId }),
      notificationKeys.counters.at({ userId }),
    ]);
    if (!user) return cancelDelivery(userId, message);
    const failed = await transact({
      delivery: claimDelivery(userId, id),
      ...addCopy(userId, copy, conversation as Conversation | undefined),
      ...named(
        'notification',
        createNotification(userId, counters, toNotificationContent(message)),
      ),
    });
    return !failed || failed.delivery ? true : undefined;
  });
};

/** Cancels a delivery to a deleted user. Returns `undefined` on a concurrent write. */
export const cancelDelivery = async (
  userId: number,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [count] = await batchGet([messageKeys.copyCount.at({ id: message.id })]);
  const failed = await transact<string>({
    delivery: claimDelivery(userId, message.id),
    ...releaseWrites(message, (count?.['copies'] as number | undefined) ?? 1),
  });
  return !failed || failed['delivery'] ? true : undefined;
};

/** Returns the query of a user's pending deliveries, the oldest first. */
export const listPendingDeliveries = (userId: number) =>
  startAt(messageKeys.delivery.prefix({ userId }));

const readMessages = async (ids: readonly number[]): Promise<StoredMessage[]> => {
  const messages = await batchGet(ids.map((id) => messageKeys.record.at({ id })));
  return messages.filter((message) => message !== undefined) as unknown as StoredMessage[];
};

const batchSize = 25;
const maxRounds = 40;
/** How long a request processes pending deliveries. */
const budgetMs = 5_000;

const tooManyDeliveriesError = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Deliveries are in progress. Try again.');

/**
 * Moves all queued messages of a user to the inbox, with notifications. Every read of a user's messages or notifications
 * calls it first. Costs one small query if there are none.
 * @throws AppError SERVICE_UNAVAILABLE if there are too many for one request; the next one continues
 */
export const deliverPending = async (userId: number): Promise<void> => {
  const deadline = Date.now() + budgetMs;
  for (let round = 0; round < maxRounds; round++) {
    const found = await queryItems(listPendingDeliveries(userId), batchSize, undefined);
    // Sequentially, because all change the same counters.
    for (const message of await readMessages(found.map(({ id }) => id as number))) {
      if (Date.now() > deadline) throw tooManyDeliveriesError();
      await deliverTo(userId, message);
    }
    // Messages sent since the query were sent concurrently with this request.
    if (found.length < batchSize) return;
  }
  throw tooManyDeliveriesError();
};

const concurrency = 10;

/** Delivers a message to the recipients for whom it is still queued. */
export const deliver = async ({
  id,
  userIds,
}: {
  readonly id: number;
  readonly userIds: readonly number[];
}): Promise<void> => {
  const [message, ...deliveries] = await batchGet([
    messageKeys.record.at({ id }),
    ...userIds.map((userId) => messageKeys.delivery.at({ userId, id })),
  ]);
  const pending = userIds.filter((_, at) => deliveries[at] !== undefined);
  for (let at = 0; at < pending.length; at += concurrency) {
    await Promise.all(
      pending
        .slice(at, at + concurrency)
        .map((userId) => deliverTo(userId, message as unknown as StoredMessage)),
    );
  }
};
