import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { updateFields } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import {
  countUnread,
  getReadTime,
  markAll,
  type NotificationCounters,
  readInBox,
  removeFromBox,
} from '../../../shared/notifications/counters.ts';
import { isKept, type StoredNotification } from '../../../shared/notifications/notification.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import { toAuthor } from '../../../shared/users/person.ts';
import { deliverPending } from '../messages/delivery.ts';
import type { FoundNotification } from './schemas.ts';

const notFound = () => new AppError('NOT_FOUND', 'There is no such notification');

/** No user's id. */
const nobody = 0;

/** A user's box; `undefined` where there has been no notification for so long as they are kept. */
export const readBox = async (userId: number): Promise<NotificationCounters | undefined> => {
  const [box] = await batchGet([keys.notificationCounters(userId)]);
  return box as unknown as NotificationCounters | undefined;
};

interface Seen {
  readonly notification: StoredNotification;
  readonly box: NotificationCounters | undefined;
}

const untilDone = retryOnConflict('The notification keeps changing: try again');

/**
 * Does something to a user's notification as it is now; tried again where `attempt` answers `undefined`, because it is
 * another by then.
 * @throws AppError NOT_FOUND; SERVICE_UNAVAILABLE when it never comes through
 */
const onCurrent = <Result>(
  userId: number,
  id: number,
  attempt: (seen: Seen) => Promise<Result | undefined>,
): Promise<Result> =>
  untilDone(async () => {
    const [item, box] = await batchGet([
      keys.notification(userId, id),
      keys.notificationCounters(userId),
    ]);
    const notification = item as unknown as StoredNotification | undefined;
    if (!notification || !isKept(notification.createdAt)) throw notFound();
    return attempt({ notification, box: box as unknown as NotificationCounters | undefined });
  });

const withSender = async ({ notification, box }: Seen): Promise<FoundNotification> => {
  const [sender] = await batchGet([keys.user(notification.senderId ?? nobody)]);
  return { notification, box, sender: toAuthor(sender) };
};

/**
 * Marks a user's notification as read. One that is read already stays as it is.
 * @throws AppError NOT_FOUND
 */
export const read = async (userId: number, id: number): Promise<FoundNotification> => {
  const seen = await onCurrent(userId, id, async ({ notification, box }) => {
    if (getReadTime(notification, box) !== undefined) return { notification, box };
    const readAt = new Date().toISOString();
    const failed = await transact({
      notification: updateFields(
        keys.notification(userId, id),
        { readAt },
        { expression: 'attribute_exists(pk) AND attribute_not_exists(readAt)' },
      ),
      box: readInBox(userId, notification),
    });
    return failed ? undefined : { notification: { ...notification, readAt }, box };
  });
  return withSender(seen);
};

/** Marks all of a user's notifications as read that are there now, by one write (decisions.md#notifications). */
export const readAll = async (userId: number): Promise<void> => {
  await deliverPending(userId);
  // Where the condition fails there is none, or all are read.
  await conditionalUpdate(markAll(userId));
};

/**
 * Deletes a user's notification.
 * @throws AppError NOT_FOUND
 */
export const remove = (userId: number, id: number): Promise<StoredNotification> =>
  onCurrent(userId, id, async ({ notification, box }) => {
    const isUnread = getReadTime(notification, box) === undefined;
    const failed = await transact({
      notification: {
        Delete: {
          TableName: tableName(),
          Key: keys.notification(userId, id),
          ConditionExpression: `attribute_exists(pk)${isUnread ? ' AND attribute_not_exists(readAt)' : ''}`,
        },
      },
      box: removeFromBox(userId, notification, isUnread),
    });
    return failed ? undefined : notification;
  });

/** How many of a user's notifications are unread, exactly; it costs the same whatever their number. */
export const getUnreadCount = async (userId: number): Promise<number> => {
  await deliverPending(userId);
  return countUnread(await readBox(userId));
};
