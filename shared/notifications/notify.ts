import { userKeys } from '../auth/keys.ts';
import { parseUser, type StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { createId } from '../db/ids.ts';
import type { Item } from '../db/item-parser.ts';
import { createItemWrite, type Step, transact, type Write } from '../db/transaction.ts';
import { retryOnConflict } from '../runtime/retry.ts';
import { addToBox, parseCounters } from './counters.ts';
import { notificationKeys } from './keys.ts';
import { getExpiresAt, type NotificationContent, type StoredNotification } from './notification.ts';

/** Number of users notified concurrently. */
const atOnce = 10;
/** Longer than a job can exist in the queue and as a dead letter. */
const rememberMs = 19 * 86_400_000;

/**
 * Creates the two writes of a new notification, for the transaction of its event. `box` is the item
 * `notificationKeys.counters` as just read, preferably in one round trip with the user, who must exist: what is
 * written for a user removed concurrently is deleted a minute later. Once refused, read the counters again and retry.
 */
export const createNotification = (
  userId: number,
  box: Item | undefined,
  notice: NotificationContent,
): readonly Step<'newerNotification'>[] => {
  const seen = parseCounters(box);
  const id = Math.max(createId(), (seen?.newestId ?? 0) + 1);
  const now = new Date().toISOString();
  // Clocks may differ, but times must not decrease in the order of ids.
  const createdAt = seen && seen.newestAt > now ? seen.newestAt : now;
  const notification: StoredNotification = { ...notice, id, createdAt };
  const item = { ...notification, ttl: getExpiresAt(createdAt) };
  return [
    createItemWrite(notificationKeys.record.at({ userId, id }), item),
    addToBox(userId, seen, notification),
  ].map((write) => ({ write, refused: 'newerNotification' }));
};

const untilTold = retryOnConflict('The user is told of too much at once: try again');

/** A notification, and the writes of the same transaction. */
export interface NotificationRequest {
  readonly notice: NotificationContent;
  readonly alongside?: Write;
}

type TellUser = (user: StoredUser) => NotificationRequest | undefined;

const notifyOne = (userId: number, tell: TellUser, event: string): Promise<true> =>
  untilTold(async () => {
    const [user, box] = await batchGet([
      userKeys.record.at({ id: userId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const telling = user && tell(parseUser(user));
    if (!telling) return true;
    const ttl = Math.ceil((Date.now() + rememberMs) / 1_000);
    const refused = await transact([
      {
        write: createItemWrite(notificationKeys.receipt.at({ userId, event }), { ttl }),
        refused: 'notified',
      },
      ...createNotification(userId, box, telling.notice),
      telling.alongside,
    ]);
    return refused?.by === 'newerNotification' ? undefined : true;
  });

/**
 * Notifies each user with the content that `tell` returns, if any, once within 19 days per `happening`, a key of up to
 * 100 characters such as `document-shared#<id>#<time>`. Skips removed users. Tries all users even if one fails.
 * @throws what the first failed notification threw
 */
export const notifyEach = async (
  userIds: readonly number[],
  tell: TellUser,
  event: string,
): Promise<void> => {
  const failures: unknown[] = [];
  for (let at = 0; at < userIds.length; at += atOnce) {
    const some = userIds.slice(at, at + atOnce);
    await Promise.all(
      some.map((userId) => notifyOne(userId, tell, event).catch((error) => failures.push(error))),
    );
  }
  if (failures.length > 0) throw failures[0];
};

/** Notifies all users of the same event, as `notifyEach` does. */
export const notify = (
  userIds: readonly number[],
  notice: NotificationContent,
  event: string,
): Promise<void> => notifyEach(userIds, () => ({ notice }), event);
