import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser, type StoredUser } from '../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { type ListKey, queryItems, startAt } from '../../../shared/db/query.ts';
import {
  createItemWrite,
  type Step,
  transact,
  type Write,
} from '../../../shared/db/transaction.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import { createNotification } from '../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../shared/notifications/templates.ts';
import { forEachAtOnce } from '../../../shared/runtime/at-once.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { eventWrite } from '../../../shared/webhooks/event-write.ts';
import { releaseOnce } from './content.ts';
import { addCopy } from './copy-writes.ts';
import { messageKeys } from './keys.ts';
import {
  type Conversation,
  type MailboxCopy,
  parseConversation,
  parseMessage,
  retryOnConflict,
  type StoredMessage,
} from './message.ts';

/*
 * The transaction that sends a message also delivers it, if it has room for all recipients. A transaction holds 100 items, but
 * a message to 50 users changes more, and so may concurrent messages to the same users: such a message is sent in two steps.
 * The transaction that sends it adds one small item, a delivery, to the partition of each recipient; from then on all have it.
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

const toNotificationContent = ({
  id,
  conversationId,
  subject,
  excerpt,
  senderId,
  senderName,
}: StoredMessage) =>
  notificationTemplates.messageReceived(
    { id, conversationId, subject: subject ?? excerpt },
    { id: senderId, name: senderName },
  );

/** A recipient, and what a delivery changes, as just read. */
interface Recipient {
  readonly user: StoredUser;
  readonly conversation: Conversation | undefined;
  readonly counters: Item | undefined;
}

/**
 * Reads what a delivery to users changes, in one round trip. A message that starts a conversation finds none.
 */
export const readInboxes = async (
  users: readonly StoredUser[],
  conversationId: number | undefined,
): Promise<readonly Recipient[]> => {
  const [counters, conversations] = await Promise.all([
    batchGet(users.map(({ id }) => notificationKeys.counters.at({ userId: id }))),
    conversationId === undefined
      ? []
      : batchGet(
          users.map(({ id }) => messageKeys.conversation.at({ userId: id, id: conversationId })),
        ),
  ]);
  return users.map((user, at) => ({
    user,
    counters: counters[at],
    conversation: parseConversation(conversations[at]),
  }));
};

/** Creates the write that tells a recipient’s webhooks of a message, without its subject. */
const toEventWrite = (
  user: StoredUser,
  { id, conversationId, senderId, senderName, attachments = [], createdAt }: StoredMessage,
): Write | undefined =>
  eventWrite(
    user,
    'message.received',
    () => ({
      message: {
        id,
        conversationId,
        url: `${getSetting('PUBLIC_URL')}/messages?open=${id}`,
        attachments: attachments.length,
      },
      from: { id: senderId, name: senderName },
    }),
    { happening: `message.received#${id}#${user.id}`, at: createdAt },
  );

/** Returns the steps that put a message into a user's inbox, with a notification. */
export const deliverySteps = (
  { user, conversation, counters }: Recipient,
  message: StoredMessage,
): readonly Step<'changed' | 'newerNotification'>[] => {
  const { id, conversationId, senderId } = message;
  const copy: MailboxCopy = { id, conversationId, senderId, boxes: ['inbox'] };
  const { steps, counts } = addCopy(user.id, message, copy, conversation);
  const content = toNotificationContent(message);
  return [
    ...steps,
    ...createNotification(user, counters, content, undefined, counts),
    { write: toEventWrite(user, message) },
  ];
};

/** Moves a queued message to a user's inbox, once even if called concurrently. */
const deliverTo = async (userId: number, message: StoredMessage): Promise<void> => {
  await retryOnConflict(async () => {
    const [found, conversation, counters] = await batchGet([
      userKeys.record.at({ id: userId }),
      messageKeys.conversation.at({ userId, id: message.conversationId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const user = parseUser(found);
    const delivery = claimDelivery(userId, message.id);
    if (!user) return releaseOnce(message, delivery);
    const recipient = { user, conversation: parseConversation(conversation), counters };
    const refused = await transact([
      { write: delivery, refused: 'delivered' },
      ...deliverySteps(recipient, message),
    ]);
    return !refused || refused.by === 'delivered' ? true : undefined;
  });
};

const deliveriesOf = (userId: number) => messageKeys.delivery.prefix({ userId });

/** Returns the query of a user's pending deliveries, the oldest first. */
export const listPendingDeliveries = (userId: number) => startAt(deliveriesOf(userId));

const batchSize = 25;
/** What else has the prefix: the counters and the version of the calendar. */
const otherUpdates = 2;

/** Reads the oldest of a user's pending deliveries and, if these are all, what else is new for the user. */
export const readUpdates = (userId: number): Promise<readonly ListKey[]> =>
  queryItems(
    startAt({ ...deliveriesOf(userId), sk: 'UPDATES#' }),
    batchSize + otherUpdates,
    undefined,
  );

/** Reads messages by id, without those that no longer exist. */
export const readRecords = async (ids: readonly number[]): Promise<StoredMessage[]> => {
  const messages = await batchGet(ids.map((id) => messageKeys.record.at({ id })));
  return messages.flatMap((message) => parseMessage(message) ?? []);
};

const maxRounds = 40;
/** How long a request processes pending deliveries. */
const budgetMs = 5_000;

const tooManyDeliveriesError = () =>
  new AppError('SERVICE_UNAVAILABLE', 'Deliveries are in progress. Try again.');

/** What is new for a user, by sort key: the user's counters and the version of the calendar. */
export type Updates = ReadonlyMap<unknown, ListKey>;

/**
 * Moves all queued messages of a user to the inbox, with notifications, and returns what is new for the user. `openMailbox`
 * calls it before any read. Costs one small query if there are none, because all of it is next to each other. `first` was read
 * in the same request.
 * @throws AppError SERVICE_UNAVAILABLE if there are too many for one request; the next one continues
 */
export const deliverPending = async (
  userId: number,
  first = readUpdates(userId),
): Promise<Updates> => {
  const deadline = Date.now() + budgetMs;
  const { sk: prefix } = deliveriesOf(userId);
  let isLast = false;
  for (let round = 0; round < maxRounds; round++) {
    const items = await (round === 0 ? first : readUpdates(userId));
    const pending = items.filter(({ sk }) => String(sk).startsWith(prefix));
    if (isLast || pending.length === 0) return new Map(items.map((item) => [item['sk'], item]));
    // Sequentially, because all change the same counters.
    for (const message of await readRecords(pending.map(({ id }) => id as number))) {
      if (Date.now() > deadline) throw tooManyDeliveriesError();
      await deliverTo(userId, message);
    }
    // Messages sent since the query were sent concurrently with this request.
    isLast = pending.length < batchSize;
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
  const message = parseMessage(found);
  // A message without copies was deleted by all.
  if (!message) return;
  const pending = userIds.filter((_, at) => deliveries[at] !== undefined);
  await forEachAtOnce(pending, concurrency, (userId) => deliverTo(userId, message));
};
