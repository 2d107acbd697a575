import { userKeys } from '../../../../shared/auth/keys.ts';
import { parseUser } from '../../../../shared/auth/user.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { consumeToken, type RateLimit } from '../../../../shared/http/rate-limit.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import { createNotification } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { withDeadline } from '../../../../shared/runtime/deadline.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';

const hourMs = 3_600_000;

/** The deliveries of a user’s webhooks, all together: what someone else does makes them, as often as they like. */
const deliveries: RateLimit = { name: 'webhook-deliveries', tokens: 1_000, perMs: hourMs };

/** How often a user is told that there were more. */
const notices: RateLimit = { name: 'webhook-notices', tokens: 1, perMs: 24 * hourMs };

const retryOnConflict = createRetry('The user is being notified. Try again.');

const limiterMs = 5_000;

const take = async (limit: RateLimit, userId: number, count: number): Promise<boolean> =>
  withDeadline(
    limiterMs,
    async (signal) => (await consumeToken(limit, String(userId), signal, count)).isTaken,
  );

/** Takes some deliveries of a user’s allowance. Returns false if that has fewer left: it takes none then. */
export const takeDeliveries = (userId: number, count: number): Promise<boolean> =>
  take(deliveries, userId, count);

/** Tells a user, at most once a day, that events were not sent as there were too many. */
export const tellOfMore = async (userId: number): Promise<void> => {
  if (!(await take(notices, userId, 1))) return;
  await retryOnConflict(async () => {
    const [item, box] = await batchGet([
      userKeys.record.at({ id: userId }),
      notificationKeys.counters.at({ userId }),
    ]);
    const user = parseUser(item);
    if (!user) return true;
    const notice = notificationTemplates.webhooksTooMany();
    return (await transact(createNotification(user, box, notice))) ? undefined : true;
  });
};
