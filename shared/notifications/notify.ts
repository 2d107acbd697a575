import { userKeys } from '../auth/keys.ts';
import { getSettings } from '../auth/notification-settings.ts';
import { parseUser, type StoredUser } from '../auth/user.ts';
import { batchGet } from '../db/dynamodb.ts';
import { createId } from '../db/ids.ts';
import type { Item } from '../db/item-parser.ts';
import { createItemWrite, type Step, transact, type Write } from '../db/transaction.ts';
import { enqueueWrite } from '../jobs/outbox.ts';
import { forEachAtOnce } from '../runtime/at-once.ts';
import { createRetry } from '../runtime/retry.ts';
import { type Amounts, addToBox, countWrite, parseCounters } from './counters.ts';
import { notificationEmail } from './jobs.ts';
import { notificationKeys } from './keys.ts';
import {
  chooseKeptDays,
  getExpiresAt,
  type Notice,
  type StoredNotification,
} from './notification.ts';

/** Number of users notified concurrently. */
const atOnce = 10;
/** Longer than a job can exist in the queue and as a dead letter. */
const rememberMs = 19 * 86_400_000;

/** Creates the two writes of a notification in the bell. */
const createInBell = (
  userId: number,
  box: Item | undefined,
  { topic: _, ...notice }: Notice,
  counts: Amounts,
): readonly Write[] => {
  const seen = parseCounters(box);
  const id = Math.max(createId(), (seen?.newestId ?? 0) + 1);
  const now = new Date().toISOString();
  // Clocks may differ, but times must not decrease in the order of ids.
  const createdAt = seen && seen.newestAt > now ? seen.newestAt : now;
  const notification: StoredNotification = { ...notice, id, createdAt, ...chooseKeptDays() };
  const item = { ...notification, ttl: getExpiresAt(notification) };
  return [
    createItemWrite(notificationKeys.record.at({ userId, id }), item),
    addToBox(userId, seen, notification, counts),
  ];
};

/**
 * Creates the writes that tell a user by the channels that the user’s settings have on, for the transaction of the event.
 * `box` is the item `notificationKeys.counters` as just read, preferably in one round trip with the user, who must exist:
 * what is written for a user removed concurrently is deleted a minute later. Once refused, read both again and retry.
 * `email` enqueues an email of its own; `none` if email is disabled. `counts` changes the user's numbers of messages, which
 * are in the same item.
 */
export const createNotification = (
  { id: userId, notificationSettings }: StoredUser,
  box: Item | undefined,
  notice: Notice,
  email?: Write | 'none',
  counts: Amounts = {},
): readonly Step<'newerNotification'>[] => {
  const { bell, mail } = getSettings(notificationSettings)[notice.topic];
  const inBell = bell ? createInBell(userId, box, notice, counts) : [countWrite(userId, counts)];
  const { type: _, ...content } = notice;
  const byMail =
    mail && email !== 'none'
      ? (email ?? enqueueWrite(notificationEmail, { userId, ...content }))
      : undefined;
  return [...inBell, byMail].map((write) => ({ write, refused: 'newerNotification' }));
};

const retryOnConflict = createRetry('The user is told of too much at once: try again');

/** A notification, and the writes of the same transaction. */
export interface NotificationRequest {
  readonly notice: Notice;
  readonly alongside?: Write | undefined;
  /** Enqueues an email of its own, if the user wants emails about this; `none` if email is disabled. */
  readonly email?: Write | 'none';
}

type TellUser = (user: StoredUser) => NotificationRequest | undefined;

const notifyOne = (userId: number, tell: TellUser, event: string): Promise<true> =>
  retryOnConflict(async () => {
    const [found, box] = await batchGet([
      userKeys.record.at({ id: userId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const user = parseUser(found);
    const telling = user && tell(user);
    if (!user || !telling) return true;
    const ttl = Math.ceil((Date.now() + rememberMs) / 1_000);
    const refused = await transact([
      {
        write: createItemWrite(notificationKeys.receipt.at({ userId, event }), { ttl }),
        refused: 'notified',
      },
      ...createNotification(user, box, telling.notice, telling.email),
      telling.alongside,
    ]);
    return refused?.by === 'newerNotification' ? undefined : true;
  });

/**
 * Notifies each user with the content that `tell` returns, if any, once within 19 days per `happening`, a key of up to
 * 100 characters such as `document-shared#<id>#<time>`. Skips removed users. Tries all users even if one fails.
 * @throws what the first failed notification threw
 */
export const notifyEach = (
  userIds: readonly number[],
  tell: TellUser,
  event: string,
): Promise<void> => forEachAtOnce(userIds, atOnce, (userId) => notifyOne(userId, tell, event));

/** Notifies all users of the same event, as `notifyEach` does. */
export const notify = (userIds: readonly number[], notice: Notice, event: string): Promise<void> =>
  notifyEach(userIds, () => ({ notice }), event);
