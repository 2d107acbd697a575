import type { StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { newId } from '../db/ids.ts';
import { keys } from '../db/table.ts';
import { putNew, transact, type Write } from '../db/transaction.ts';
import { retrying } from '../runtime/retry.ts';
import { addToBox, type Box } from './counters.ts';
import { forgottenAt, type Notice, type StoredNotification } from './notification.ts';

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
export const newNotification = (
  userId: number,
  box: Record<string, unknown> | undefined,
  notice: Notice,
): Readonly<Record<'notification' | 'notificationBox', Write>> => {
  const seen = box as Box | undefined;
  const id = Math.max(newId(), (seen?.newestId ?? 0) + 1);
  const now = new Date().toISOString();
  // The clocks of two writers may differ: what follows in the order of ids is never older.
  const createdAt = seen && seen.newestAt > now ? seen.newestAt : now;
  const notification: StoredNotification = { ...notice, id, createdAt };
  return {
    notification: putNew(keys.notification(userId, id), {
      ...notification,
      ttl: forgottenAt(createdAt),
    }),
    notificationBox: addToBox(userId, seen, notification),
  };
};

const untilTold = retrying('The user is told of too much at once: try again');

/** What a user is told, and what is written in that very transaction. */
export interface Telling {
  readonly notice: Notice;
  readonly alongside?: Readonly<Record<string, Write>>;
}

type TellUser = (user: StoredUser) => Telling | undefined;

const notifyOne = (userId: number, tell: TellUser, happening: string): Promise<true> =>
  untilTold(async () => {
    const [user, box] = await batchGet([keys.user(userId), keys.notificationBox(userId)]);
    const telling = user && tell(user as unknown as StoredUser);
    if (!telling) return true;
    const ttl = Math.ceil((Date.now() + rememberMs) / 1_000);
    const failed = await transact({
      notified: putNew(keys.notified(userId, happening), { ttl }),
      ...newNotification(userId, box, telling.notice),
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
  happening: string,
): Promise<void> => {
  const failures: unknown[] = [];
  for (let at = 0; at < userIds.length; at += atOnce) {
    const some = userIds.slice(at, at + atOnce);
    await Promise.all(
      some.map((userId) =>
        notifyOne(userId, tell, happening).catch((error) => failures.push(error)),
      ),
    );
  }
  if (failures.length > 0) throw failures[0];
};

/** Tells users of something that happened, all the same, as `notifyEach` does. */
export const notify = (
  userIds: readonly number[],
  notice: Notice,
  happening: string,
): Promise<void> => notifyEach(userIds, () => ({ notice }), happening);
