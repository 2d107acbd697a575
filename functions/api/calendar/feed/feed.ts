import { createHash, randomBytes } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { readRolesOf } from '../../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { touchLastUsed } from '../../../../shared/auth/last-used.ts';
import { isActive, parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { mustVerify } from '../../../../shared/auth/verification.ts';
import { batchGet, tableName } from '../../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { eventKeys } from '../record/keys.ts';

/** A user's calendar feed as stored in the table, without its keys. */
export interface StoredFeed {
  /** SHA-256 of the token in the URL. The token itself is not stored. */
  readonly hash: string;
  /** The user's `tokenEpoch` at creation. Revoking all API tokens revokes the feed too. */
  readonly epoch: number;
  readonly createdAt: string;
  /** To the hour. */
  readonly lastUsedAt?: string;
}

const parseFeed = itemParser<StoredFeed>('calendar feed', ['hash', 'epoch', 'createdAt']);

const feedNotFound = () => new AppError('NOT_FOUND', 'Calendar feed not found.');

/** The token contains the user id, so that one read finds the feed. */
const tokenPattern = /^([1-9]\d{0,15})\.[\w-]{43}$/;

const hashSecret = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');

const isFeedActive = (feed: StoredFeed | undefined, user: StoredUser): feed is StoredFeed =>
  feed !== undefined && feed.epoch === (user.tokenEpoch ?? 0);

const find = async (user: StoredUser): Promise<StoredFeed | undefined> => {
  const [item] = await batchGet([eventKeys.feed.at({ userId: user.id })]);
  const feed = parseFeed(item);
  return isFeedActive(feed, user) ? feed : undefined;
};

/** Returns the actor's feed, if there is one. */
export const readFeed = ({ user }: Actor): Promise<StoredFeed | undefined> => find(user);

const auditSubject = ({ id }: StoredUser): string => `feed:${id}`;

/**
 * Creates the actor's feed and revokes the previous one. Only this response contains the URL.
 * @throws AppError FORBIDDEN for API tokens, because the feed would outlive them
 */
export const createFeed = async (
  { user, sessionId }: Actor,
  recorder: ChangeRecorder,
): Promise<{ readonly feed: StoredFeed; readonly url: string }> => {
  if (sessionId === undefined) {
    throw new AppError('FORBIDDEN', 'API tokens can’t be used for this request.');
  }
  const token = `${user.id}.${randomBytes(32).toString('base64url')}`;
  const createdAt = new Date().toISOString();
  const feed = { hash: hashSecret(token), epoch: user.tokenEpoch ?? 0, createdAt };
  const key = eventKeys.feed.at({ userId: user.id });
  await transact([
    { write: { Put: { TableName: tableName(), Item: { ...key, ...feed } } } },
    ...recorder.steps({ subject: auditSubject(user), after: { createdAt } }),
  ]);
  return { feed, url: `${getSetting('PUBLIC_URL')}/calendar/${token}/events.ics` };
};

/**
 * Revokes the actor's feed immediately.
 * @throws AppError NOT_FOUND
 */
export const revokeFeed = async ({ user }: Actor, recorder: ChangeRecorder): Promise<void> => {
  const seen = await find(user);
  if (!seen) throw feedNotFound();
  const { hash, createdAt } = seen;
  await transact([
    {
      write: {
        Delete: {
          TableName: tableName(),
          Key: eventKeys.feed.at({ userId: user.id }),
          ConditionExpression: '#hash = :hash',
          ExpressionAttributeNames: { '#hash': 'hash' },
          ExpressionAttributeValues: { ':hash': hash },
        },
      },
      refused: feedNotFound,
    },
    ...recorder.steps({ subject: auditSubject(user), before: { createdAt } }),
  ]);
};

/**
 * Finds the user whose calendar feed has this token. `isUse` records the time of use, to the hour.
 * @throws AppError NOT_FOUND if the token is unknown or revoked, or the user is inactive or can't view calendars
 */
export const findFeedOwner = async (token: string, isUse: boolean): Promise<StoredUser> => {
  const userId = Number(tokenPattern.exec(token)?.[1]);
  if (!Number.isSafeInteger(userId)) throw feedNotFound();
  const key = eventKeys.feed.at({ userId });
  const [userItem, feedItem] = await batchGet([userKeys.record.at({ id: userId }), key]);
  const [user, feed] = [parseUser(userItem), parseFeed(feedItem)];
  if (!user || !isActive(user) || !isFeedActive(feed, user) || feed.hash !== hashSecret(token)) {
    throw feedNotFound();
  }
  const permissions = getEffectivePermissions(user, await readRolesOf([user]));
  if (mustVerify(user) || !can(permissions, 'calendar:view')) throw feedNotFound();
  if (isUse) await touchLastUsed(key, feed, Date.now(), false);
  return user;
};
