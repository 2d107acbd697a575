import { createHash, randomBytes } from 'node:crypto';
import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { touchLastUsed } from '../../../../shared/auth/last-used.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { can, getEffectivePermissions } from '../../../../shared/permissions/permissions.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';

/** The address at which calendar programs read a user's calendar, as the table keeps it, without its keys. */
export interface StoredFeed {
  /** SHA-256 of the token in the address; the token itself is stored nowhere. */
  readonly hash: string;
  /** The user's `tokenEpoch` when it was made: what ends all API tokens ends it too. */
  readonly epoch: number;
  readonly createdAt: string;
  /** Known to an hour. */
  readonly lastUsedAt?: string;
}

/** The token names its user, so that finding it is one read. */
const tokenPattern = /^([1-9]\d{0,15})\.[\w-]{43}$/;

const hashSecret = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

const isLive = (feed: StoredFeed | undefined, user: StoredUser): feed is StoredFeed =>
  feed !== undefined && feed.epoch === (user.tokenEpoch ?? 0);

const find = async (user: StoredUser): Promise<StoredFeed | undefined> => {
  const [item] = await batchGet([keys.calendarFeed(user.id)]);
  const feed = item as unknown as StoredFeed | undefined;
  return isLive(feed, user) ? feed : undefined;
};

/** The actor's feed, if there is one. */
export const readFeed = ({ user }: Actor): Promise<StoredFeed | undefined> => find(user);

const auditSubject = ({ id }: StoredUser): string => `feed:${id}`;

/**
 * Makes the actor's feed. Its address is in the answer and nowhere else; from then on there is no feed at any former one.
 * @throws AppError FORBIDDEN where an API token asks: the feed would outlive it
 */
export const createFeed = async (
  { user, sessionId }: Actor,
  audit: AuditRecorder,
): Promise<{ readonly feed: StoredFeed; readonly url: string }> => {
  if (sessionId === undefined) {
    throw new AppError('FORBIDDEN', 'API tokens can’t be used for this request.');
  }
  const token = `${user.id}.${randomBytes(32).toString('base64url')}`;
  const createdAt = new Date().toISOString();
  const feed = { hash: hashSecret(token), epoch: user.tokenEpoch ?? 0, createdAt };
  await transact({
    feed: { Put: { TableName: tableName(), Item: { ...keys.calendarFeed(user.id), ...feed } } },
    ...audit.writes({ subject: auditSubject(user), after: { createdAt } }),
  });
  return { feed, url: `${getSetting('PUBLIC_URL')}/calendar/${token}/events.ics` };
};

/**
 * Ends the actor's feed at once.
 * @throws AppError NOT_FOUND
 */
export const revokeFeed = async ({ user }: Actor, audit: AuditRecorder): Promise<void> => {
  const seen = await find(user);
  const failed =
    seen &&
    (await transact({
      feed: {
        Delete: {
          TableName: tableName(),
          Key: keys.calendarFeed(user.id),
          ConditionExpression: '#hash = :hash',
          ExpressionAttributeNames: { '#hash': 'hash' },
          ExpressionAttributeValues: { ':hash': seen.hash },
        },
      },
      ...audit.writes({ subject: auditSubject(user), before: { createdAt: seen.createdAt } }),
    }));
  if (!seen || failed) throw new AppError('NOT_FOUND', 'You have no calendar feed');
};

const feedNotFound = () => new AppError('NOT_FOUND', 'There is no calendar at this address');

/**
 * The user whose calendar is at the address with this token, as the table knows the user right now; `isUse` says that it
 * is read, which is noted to the hour.
 * @throws AppError NOT_FOUND for what is no token or not good any more, and where its user is not active or may not look
 *   at a calendar
 */
export const findFeedOwner = async (token: string, isUse: boolean): Promise<StoredUser> => {
  const userId = Number(tokenPattern.exec(token)?.[1]);
  if (!Number.isSafeInteger(userId)) throw feedNotFound();
  const key = keys.calendarFeed(userId);
  const [userItem, feedItem] = await batchGet([keys.user(userId), key]);
  const user = userItem as unknown as StoredUser | undefined;
  const feed = feedItem as unknown as StoredFeed | undefined;
  if (user?.status !== 'active' || !isLive(feed, user) || feed.hash !== hashSecret(token)) {
    throw feedNotFound();
  }
  if (!can(getEffectivePermissions(user.role, user.extraPermissions), 'calendar:view'))
    throw feedNotFound();
  if (isUse) await touchLastUsed(key, feed, Date.now(), false);
  return user;
};
