import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser } from '../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import { type ListKey, queryItems, startAt } from '../../../shared/lists/pagination.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { createNotification } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { releaseOnce } from './content.ts';
import { addCopy } from './copy-writes.ts';
import { messageKeys } from './keys.ts';
import {
  type MailboxCopy,
  parseConversation,
  parseMessage,
  type StoredMessage,
  untilDone,
} from './message.ts';

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

/** Returns the write that removes a delivery, on the condition that it exists, so that it happens once. */
export const claimDelivery = (userId: number, id: number): Write => ({
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
    const [found, conversation, counters] = await batchGet([
      userKeys.record.at({ id: userId }),
      messageKeys.conversation.at({ userId, id: conversationId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const delivery = claimDelivery(userId, id);
    const user = parseUser(found);
    if (!user) return releaseOnce(message, delivery);
    const refused = await transact([
      { write: delivery, refused: 'delivered' },
      ...addCopy(userId, copy, parseConversation(conversation)),
      ...createNotification(user, counters, toNotificationContent(message)),
    ]);
    return !refused || refused.by === 'delivered' ? true : undefined;
  });
};

/** Returns the query of a user's pending deliveries, the oldest first. */
export const listPendingDeliveries = (userId: number) =>
  startAt(messageKeys.delivery.prefix({ userId }));

const batchSize = 25;

/** Reads the oldest of a user's pending deliveries. */
export const findPending = (userId: number): Promise<readonly ListKey[]> =>
  queryItems(listPendingDeliveries(userId), batchSize, undefined);

const readMessages = async (ids: readonly number[]): Promise<StoredMessage[]> => {
  const messages = await batchGet(ids.map((id) => messageKeys.record.at({ id })));
  return messages.flatMap((message) => parseMessage(message) ?? []);
};

const maxRounds = 40;
/** How long a request processes pending deliveries. */
const budgetMs = 5_000;

const tooManyDeliveriesError = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Deliveries are in progress. Try again.');

/**
 * Moves all queued messages of a user to the inbox, with notifications. `openMailbox` calls it before any read. Costs one
 * small query if there are none.
 * `pending` was read in the same request.
 * @throws AppError SERVICE_UNAVAILABLE if there are too many for one request; the next one continues
 */
export const deliverPending = async (
  userId: number,
  pending = findPending(userId),
): Promise<void> => {
  const deadline = Date.now() + budgetMs;
  for (let round = 0; round < maxRounds; round++) {
    const found = await (round === 0 ? pending : findPending(userId));
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
  const [found, ...deliveries] = await batchGet([
    messageKeys.record.at({ id }),
    ...userIds.map((userId) => messageKeys.delivery.at({ userId, id })),
  ]);
  // A message without copies was deleted by all.
  const message = parseMessage(found);
  const pending = message ? userIds.filter((_, at) => deliveries[at] !== undefined) : [];
  for (let at = 0; message && at < pending.length; at += concurrency) {
    const some = pending.slice(at, at + concurrency);
    await Promise.all(some.map((userId) => deliverTo(userId, message)));
  }
};
