import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { isSessionActive, type StoredSession } from '../../../shared/auth/actor.ts';
import { getExpiry } from '../../../shared/auth/last-used.ts';
import { sessionCookie } from '../../../shared/auth/session-cookie.ts';
import { signToken, TokenError, verifyToken } from '../../../shared/auth/tokens.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { queryMatches, startAt } from '../../../shared/lists/pagination.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';

/** The same refresh token within this time gets the same successor: parallel tabs, lost answers (decisions.md#sessions). */
const repeatMs = 10_000;

/** A new pair of tokens; `expiresIn` is the access token's lifetime in seconds, `cookie` a `Set-Cookie` header. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly cookie: string;
}

/**
 * Begins a session now; what it answers makes the record for a user, the same at each call. Nothing is written. It is
 * over SESSION_MAX_AGE from now however often it is refreshed.
 */
export const create = ({ ip, userAgent }: ClientInfo): ((user: StoredUser) => StoredSession) => {
  const now = Date.now();
  const id = createRandomId();
  const endsAt = new Date(now + getSetting('SESSION_MAX_AGE')).toISOString();
  return (user) => ({
    id,
    userId: user.id,
    epoch: user.sessionEpoch,
    rotation: 0,
    createdAt: new Date(now).toISOString(),
    endsAt,
    ...getExpiry(now, endsAt),
    address: ip,
    ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 256) }),
  });
};

/** The write that stores a new session. */
export const put = (session: StoredSession): Write =>
  createItemWrite(keys.session(session.userId, session.id), session);

/** The tokens of a session as it is; the refresh token is good until the session expires. */
export const createTokens = async (session: StoredSession): Promise<TokenPair> => {
  const accessMs = getSetting('JWT_ACCESS_EXPIRES');
  const sub = String(session.userId);
  const rotatedAt = Date.parse(session.rotatedAt ?? session.createdAt);
  const refreshMs = Date.parse(session.expiresAt) - rotatedAt;
  const refreshId = `${session.id}.${session.rotation}`;
  const restMs = Date.parse(session.endsAt) - Date.now();
  const [accessToken, refreshToken, cookieToken] = await Promise.all([
    signToken('access', { sub, sid: session.id }, accessMs),
    signToken('refresh', { sub, sid: session.id, n: session.rotation }, refreshMs, {
      issuedAt: rotatedAt,
      id: refreshId,
    }),
    signToken('session', { sub, sid: session.id }, restMs),
  ]);
  const cookie = sessionCookie(cookieToken, restMs);
  return { accessToken, refreshToken, expiresIn: Math.round(accessMs / 1_000), cookie };
};

const createRefusal = (cause?: unknown) =>
  new AppError(
    'UNAUTHORIZED',
    'Sign in again: the refresh token is wrong, used up or has expired',
    {
      cause,
    },
  );

/**
 * Exchanges a refresh token: moves the session's rotation on in one conditional update. The token before the current
 * one is answered with the current one again for 10 s; an older one ends its session, and only that is noted down.
 * @throws AppError UNAUTHORIZED when the token or its session is no longer good
 */
export const rotate = async (
  refreshToken: string,
  audit: AuditRecorder,
): Promise<{ readonly user: StoredUser; readonly session: StoredSession }> => {
  const { sub, sid, n } = await verifyToken('refresh', refreshToken).catch((error) => {
    throw error instanceof TokenError ? createRefusal(error) : error;
  });
  const userId = Number(sub);
  const [user, before] = (await batchGet([keys.user(userId), keys.session(userId, sid)])) as [
    StoredUser | undefined,
    StoredSession | undefined,
  ];
  const now = Date.now();
  if (!user || !before || !isSessionActive(before, user, now)) throw createRefusal();
  const { expiresAt, ttl } = getExpiry(now, before.endsAt);
  const { written, item } = await conditionalUpdate({
    Key: keys.session(userId, sid),
    UpdateExpression: 'SET rotation = :next, rotatedAt = :now, expiresAt = :expiresAt, #ttl = :ttl',
    ConditionExpression: 'attribute_exists(pk) AND rotation = :n',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':n': n,
      ':next': n + 1,
      ':now': new Date(now).toISOString(),
      ':expiresAt': expiresAt,
      ':ttl': ttl,
    },
  });
  const session = item as StoredSession | undefined;
  if (!session) throw createRefusal();
  const isRepeat =
    session.rotation === n + 1 && now - Date.parse(session.rotatedAt ?? '') < repeatMs;
  if (written || isRepeat) return { user, session };
  // Someone holds a token that was exchanged long ago: it may be stolen, or its successor.
  await end(userId, sid, audit);
  throw createRefusal();
};

/** Ends one session at once, access tokens included. Says whether it had not ended yet. */
export const end = async (userId: number, id: string, audit: AuditRecorder): Promise<boolean> => {
  const failed = await transact({
    session: {
      Delete: {
        TableName: tableName(),
        Key: keys.session(userId, id),
        // Of several who end it at once, one leaves an entry.
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    ...audit.writes({ subject: `user:${userId}`, before: { session: id } }),
  });
  return failed === undefined;
};

/**
 * Ends every session of the user at once, in one write: those of the epoch that the caller has seen. Where the epoch
 * has moved on since, they have ended already, but for the one that has changed the password meanwhile.
 */
export const endAll = async (
  { id, sessionEpoch, passwordHash }: StoredUser,
  audit: AuditRecorder,
): Promise<void> => {
  const failed = await transact({
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(id),
        UpdateExpression: 'SET sessionEpoch = :next',
        ConditionExpression: 'attribute_exists(pk) AND sessionEpoch = :seen',
        ExpressionAttributeValues: { ':seen': sessionEpoch, ':next': sessionEpoch + 1 },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    ...audit.writes({ subject: `user:${id}`, before: { sessions: 'all' } }),
  });
  const user = failed?.user?.item as StoredUser | undefined;
  if (user && user.passwordHash !== passwordHash) await endAll(user, audit);
};

const maxListed = 100;

/** A user's live sessions, the one used last first; 100 at most. */
export const list = async (user: StoredUser): Promise<StoredSession[]> => {
  const { items } = await queryMatches(startAt(keys.session(user.id, '')), {
    matches: 1_000,
    scanned: 1_000,
  });
  const now = Date.now();
  const lastUse = ({ lastUsedAt, createdAt }: StoredSession) => lastUsedAt ?? createdAt;
  return (items as unknown as StoredSession[])
    .filter((session) => isSessionActive(session, user, now))
    .sort((a, b) => lastUse(b).localeCompare(lastUse(a)))
    .slice(0, maxListed);
};

/**
 * Ends one of a user's own live sessions at once.
 * @throws AppError NOT_FOUND
 */
export const revoke = async (user: StoredUser, id: string, audit: AuditRecorder): Promise<void> => {
  const [session] = (await batchGet([keys.session(user.id, id)])) as [StoredSession | undefined];
  const isThere = session !== undefined && isSessionActive(session, user, Date.now());
  if (!isThere || !(await end(user.id, id, audit))) {
    throw new AppError('NOT_FOUND', 'There is no such session');
  }
};
