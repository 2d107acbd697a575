import { getFirstIdAt } from '../../../shared/db/ids.ts';
import { queryItems } from '../../../shared/db/query.ts';
import type { Deadline } from '../../../shared/lists/process-items.ts';
import { forEachAtOnce } from '../../../shared/runtime/at-once.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { accountKeys } from '../../api/users/record/keys.ts';
import { deleteExpired } from './expired-messages.ts';
import { deleteHidden } from './hidden-notifications.ts';
import { readWalk, type Walked, writeWalk } from './walk.ts';

const dayMs = 86_400_000;

/** NOTIFICATIONS_KEEP before it was a setting. */
const usualMs = 90 * dayMs;

/** Users who are looked at together. */
const atOnce = 8;

/** Reads the walk of users, or the one that begins now; `undefined` if nothing is to be deleted. */
export const findUserWalk = async () => {
  const last = await readWalk('users');
  const messages = getSetting('MESSAGES_KEEP');
  const notifications = getSetting('NOTIFICATIONS_KEEP');
  const isSame = last?.messages === messages && last?.notifications === notifications;
  // What was set meanwhile holds at once: a walk with former settings could delete what is kept now.
  if (last && !last.isDone && isSame) return last;
  const day = Math.floor(Date.now() / dayMs);
  const isLowered = messages !== undefined && messages < (last?.messages ?? Infinity);
  const isDue =
    messages !== undefined && (isLowered || day > (last?.day ?? 0) || last?.isDone === false);
  const isCut = last?.isDone === false && last.withNotifications;
  const withNotifications = isCut || notifications !== (last?.notifications ?? usualMs);
  if (!isDue && !withNotifications) return undefined;
  return { day, messages, notifications, withNotifications, after: 0, isDone: false };
};

type UserWalk = NonNullable<Awaited<ReturnType<typeof findUserWalk>>>;

/** Deletes what is kept no longer of one user. Returns whether all is. */
const clean = async (userId: number, walk: UserWalk, bound: Deadline): Promise<boolean> => {
  if (walk.withNotifications && !(await deleteHidden(userId, bound))) return false;
  const { messages } = walk;
  if (messages === undefined) return true;
  // A message is kept for whole days after its own (UTC).
  return deleteExpired(userId, getFirstIdAt(walk.day * dayMs - messages), bound);
};

/**
 * Deletes messages and notifications that are kept no longer, of one user after the other, once a day and after a change of the
 * settings. The next call continues where the time was up.
 */
export const walkUsers = async (bound: Deadline): Promise<Walked> => {
  const walk = await findUserWalk();
  if (!walk) return { isAtEnd: true, failure: undefined };
  let { after } = walk;
  let isDone = false;
  let failure: unknown;
  while (!isDone && Date.now() < bound.deadline) {
    const users = await queryItems(
      {
        KeyConditionExpression: 'pk = :pk AND sk > :after',
        ExpressionAttributeValues: {
          ':pk': accountKeys.byId.at({ id: after }).pk,
          ':after': accountKeys.byId.at({ id: after }).sk,
        },
      },
      atOnce,
      undefined,
    );
    const ids = users.map(({ id }) => id as number);
    const cleaned = new Set<number>();
    await forEachAtOnce(ids, atOnce, async (id) => {
      const isClean = await clean(id, walk, bound).catch((error) => {
        // The walk of the next day tries this user again.
        failure ??= error;
        return true;
      });
      if (isClean) cleaned.add(id);
    });
    const unfinished = ids.findIndex((id) => !cleaned.has(id));
    after = ids[(unfinished === -1 ? ids.length : unfinished) - 1] ?? after;
    if (unfinished !== -1) break;
    isDone = ids.length < atOnce;
  }
  await writeWalk('users', { ...walk, after, isDone });
  return { isAtEnd: isDone, failure };
};
