import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { updateFields } from '../../../shared/db/field-update.ts';
import { transact } from '../../../shared/db/transaction.ts';
import {
  countUnread,
  getReadTime,
  markAll,
  type NotificationCounters,
  parseCounters,
  readInBox,
  removeFromBox,
} from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  isKept,
  parseNotification,
  type StoredNotification,
} from '../../../shared/notifications/notification.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { getCurrentName, readUsers } from '../../../shared/users/person.ts';
import { openMailbox, type Pending } from '../messages/mailbox.ts';
import type { FoundNotification } from './schemas.ts';

const notFound = () => new AppError('NOT_FOUND', 'Notification not found.');

/** A user's notifications, of all messages too. */
export interface Notifications {
  readonly userId: number;
  /** As read when they were opened. Absent if there never were any. */
  readonly counters: NotificationCounters | undefined;
}

/** Opens a user's notifications. Pending messages are delivered first, because they have notifications too. */
export const openNotifications = async (
  userId: number,
  pending?: Pending,
): Promise<Notifications> => {
  const { updates } = await openMailbox(userId, pending);
  const counters = updates.get(notificationKeys.counters.at({ userId }).sk);
  return { userId, counters: parseCounters(counters) };
};

interface CurrentNotification {
  readonly notification: StoredNotification;
  readonly counters: NotificationCounters | undefined;
}

const retryOnConflict = createRetry('The notification is being modified. Try again.');

/**
 * Runs `attempt` on the current version of a notification. Retries if it returns `undefined` on a concurrent write.
 * @throws AppError NOT_FOUND; SERVICE_UNAVAILABLE after the last attempt
 */
const updateCurrent = <Result>(
  userId: number,
  id: number,
  attempt: (seen: CurrentNotification) => Promise<Result | undefined>,
): Promise<Result> =>
  retryOnConflict(async () => {
    const [item, counters] = await batchGet([
      notificationKeys.record.at({ userId, id }),
      notificationKeys.counters.at({ userId }),
    ]);
    const notification = parseNotification(item);
    if (!notification || !isKept(notification)) throw notFound();
    return attempt({ notification, counters: parseCounters(counters) });
  });

const withSender = async ({
  notification,
  counters,
}: CurrentNotification): Promise<FoundNotification> => {
  const { sender } = notification;
  const users = await readUsers(sender ? [sender.id] : []);
  return { notification, counters, sender: sender ? getCurrentName(users, sender) : null };
};

/**
 * Marks a user's notification as read. Repeating it changes nothing.
 * @throws AppError NOT_FOUND
 */
export const read = async (userId: number, id: number): Promise<FoundNotification> => {
  const current = await updateCurrent(userId, id, async ({ notification, counters }) => {
    if (getReadTime(notification, counters) !== undefined) return { notification, counters };
    const readAt = new Date().toISOString();
    const refused = await transact([
      {
        write: updateFields(
          notificationKeys.record.at({ userId, id }),
          { readAt },
          { expression: 'attribute_exists(pk) AND attribute_not_exists(readAt)' },
        ),
        refused: 'changed',
      },
      { write: readInBox(userId, notification), refused: 'changed' },
    ]);
    return refused ? undefined : { notification: { ...notification, readAt }, counters };
  });
  return withSender(current);
};

/** Marks all existing notifications of a user as read, in one write (decisions.md#notifications). */
export const readAll = async (userId: number): Promise<void> => {
  const notifications = await openNotifications(userId);
  // The condition fails if there are none, or all are read.
  await conditionalUpdate(markAll(notifications.userId));
};

/**
 * Deletes a user's notification.
 * @throws AppError NOT_FOUND
 */
export const remove = (userId: number, id: number): Promise<StoredNotification> =>
  updateCurrent(userId, id, async ({ notification, counters }) => {
    const isUnread = getReadTime(notification, counters) === undefined;
    const refused = await transact([
      {
        write: {
          Delete: {
            TableName: tableName(),
            Key: notificationKeys.record.at({ userId, id }),
            ConditionExpression: `attribute_exists(pk)${isUnread ? ' AND attribute_not_exists(readAt)' : ''}`,
          },
        },
        refused: 'changed',
      },
      { write: removeFromBox(userId, notification, isUnread), refused: 'changed' },
    ]);
    return refused ? undefined : notification;
  });

/** Returns the exact number of a user's unread notifications. The cost doesn't depend on their number. */
export const getUnreadCount = async (userId: number, pending?: Pending): Promise<number> => {
  const { counters } = await openNotifications(userId, pending);
  return countUnread(counters);
};
