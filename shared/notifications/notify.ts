import type { StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { createId } from '../db/ids.ts';
import { keys } from '../db/table.ts';
import { createItemWrite, transact, type Write } from '../db/transaction.ts';
import { retryOnConflict } from '../runtime/retry.ts';
import { addToBox, type NotificationCounters } from './counters.ts';
import { getExpiresAt, type NotificationContent, type StoredNotification } from './notification.ts';

/** How many users are told side by side. */
const atOnce = 10;
/** Longer than a job lives in the queue and among the dead letters. */
const rememberMs = 19 * 86_400_000;

/**
 * The two writes of a new notification, for the transaction of what it tells of. `box` is the item
 * `keys.notificationBox(userId)` as it was read just before, best in one round trip with the user, who must be there: what
 * is written for one who is removed meanwhile is removed with the rest, a minute later. Where either write fails the user
 * was told of something else meanwhile: read the box again, and try again.
 */
export const createNotification = (
  userId: number,
  box: Record<string, unknown> | undefined,
  notice: NotificationContent,
): Readonly<Record<'notification' | 'notificationBox', Write>> => {
  const seen = box as NotificationCounters | undefined;
  const id = Math.max(createId(), (seen?.newestId ?? 0) + 1);
  const now = new Date().toISOString();
  // The clocks of two writers may differ: what follows in the order of ids is never older.
  const createdAt = seen && seen.newestAt > now ? seen.newestAt : now;
  const notification: StoredNotification = { ...notice, id, createdAt };
  return {
    notification: createItemWrite(keys.notification(userId, id), {
      ...notification,
      ttl: getExpiresAt(createdAt),
    }),
    notificationBox: addToBox(userId, seen, notification),
  };
};

const untilTold = retryOnConflict('The user is told of too much at once: try again');

/** What a user is told, and what is written in that very transaction. */
export interface NotificationRequest {
  readonly notice: NotificationContent;
  readonly alongside?: Readonly<Record<string, Write>>;
}

type TellUser = (user: StoredUser) => NotificationRequest | undefined;

const notifyOne = (userId: number, tell: TellUser, event: string): Promise<true> =>
  untilTold(async () => {
    const [user, box] = await batchGet([keys.user(userId), keys.notificationCounters(userId)]);
    const telling = user && tell(user as unknown as StoredUser);
    if (!telling) return true;
    const ttl = Math.ceil((Date.now() + rememberMs) / 1_000);
    const failed = await transact({
      notified: createItemWrite(keys.notificationReceipt(userId, event), { ttl }),
      ...createNotification(userId, box, telling.notice),
      ...telling.alongside,
    });
    return !failed || failed.notified ? true : undefined;
  });

/**
 * Tells each user what `tell` makes of that user, or nothing, each once however often this is asked for within 19 days:
 * `happening` names it in up to 100 characters, such as `document-shared#<id>#<time>`. One who is removed is told nothing.
 * All are tried, also after one for whom it failed.
 * @throws what the first that failed threw
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

/** Tells users of something that happened, all the same, as `notifyEach` does. */
export const notify = (
  userIds: readonly number[],
  notice: NotificationContent,
  event: string,
): Promise<void> => notifyEach(userIds, () => ({ notice }), event);
