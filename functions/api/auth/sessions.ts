import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import {
  endedEpoch,
  isSessionActive,
  parseSession,
  type StoredSession,
} from '../../../shared/auth/actor.ts';
import { hintAtRole } from '../../../shared/auth/custom-roles.ts';
import { mustEnrol } from '../../../shared/auth/enrolment.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { getExpiry } from '../../../shared/auth/last-used.ts';
import { isReplayable } from '../../../shared/auth/rotation.ts';
import { sessionCookie } from '../../../shared/auth/session-cookie.ts';
import type { SignOutReason } from '../../../shared/auth/sign-out-reason.ts';
import { signToken, TokenError, verifyToken } from '../../../shared/auth/tokens.ts';
import { parseUser, type StoredUser } from '../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../shared/db/ids.ts';
import type { Key } from '../../../shared/db/key.ts';
import { queryMatches, startAt } from '../../../shared/db/query.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../shared/http/route.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';

/** The tokens of a session. `expiresIn` is the access token's lifetime in seconds. */
export interface TokenPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
}

/**
 * Creates a session that starts now, and returns a function that builds its record for a user. Writes nothing. The session
 * ends after SESSION_MAX_AGE, however often it is refreshed. `isProven` says whether its owner has proven who they are by more
 * than the password.
 */
export const create = (
  { ip, userAgent }: ClientInfo,
  { isProven = false }: { readonly isProven?: boolean } = {},
): ((user: StoredUser) => StoredSession) => {
  const now = Date.now();
  const id = createRandomId();
  const endsAt = new Date(now + getSetting('SESSION_MAX_AGE')).toISOString();
  return (user) => ({
    id,
    userId: user.id,
    epoch: user.sessionEpoch,
    rotation: 0,
    createdAt: new Date(now).toISOString(),
    ...(isProven && { provenAt: new Date(now).toISOString() }),
    ...(mustEnrol(user) && { mustEnrol: true as const }),
    endsAt,
    ...getExpiry(now, endsAt),
    address: ip,
    ...(userAgent !== undefined && { userAgent: userAgent.slice(0, 256) }),
  });
};

/** Creates the write that stores a new session. */
export const put = (session: StoredSession): Write =>
  createItemWrite(userKeys.session.at({ userId: session.userId, id: session.id }), session);

/** Creates the tokens of a user's session. Until the next rotation, the refresh token is the same one each time. */
export const createTokens = async (
  session: StoredSession,
  user: Pick<StoredUser, 'role'>,
): Promise<TokenPair> => {
  const accessMs = getSetting('JWT_ACCESS_EXPIRES');
  const sub = String(session.userId);
  const rotatedAt = Date.parse(session.rotatedAt ?? session.createdAt);
  // Not the session's own expiry, which use of the cookie extends.
  const refreshMs = Date.parse(getExpiry(rotatedAt, session.endsAt).expiresAt) - rotatedAt;
  const refreshId = `${session.id}.${session.rotation}`;
  const [accessToken, refreshToken] = await Promise.all([
    signToken(
      'access',
      { sub, sid: session.id, n: session.rotation, ...hintAtRole(user) },
      accessMs,
    ),
    signToken('refresh', { sub, sid: session.id, n: session.rotation }, refreshMs, {
      issuedAt: rotatedAt,
      id: refreshId,
    }),
  ]);
  return { accessToken, refreshToken, expiresIn: Math.round(accessMs / 1_000) };
};

/** Creates the `Set-Cookie` header of a user's session, which pages need. It lasts until the session ends. */
export const createCookie = async (
  { id, userId, endsAt }: StoredSession,
  user: Pick<StoredUser, 'role'>,
): Promise<string> => {
  const remainingMs = Date.parse(endsAt) - Date.now();
  const claims = { sub: String(userId), sid: id, ...hintAtRole(user) };
  const token = await signToken('session', claims, remainingMs);
  return sessionCookie(token, remainingMs);
};

const invalidRefreshToken = (cause?: unknown) =>
  new AppError('UNAUTHORIZED', 'The refresh token is invalid or expired. Sign in again.', {
    cause,
  });

/**
 * Exchanges a refresh token by advancing the session's rotation in one conditional update. The previous token returns the
 * current ones again for 10 s, and up to 24 h while none of them has been accepted. Any other token ends its session; only
 * that is audited.
 * @throws AppError UNAUTHORIZED if the token or its session is not valid
 */
export const rotate = async (
  refreshToken: string,
  recorder: ChangeRecorder,
): Promise<{ readonly user: StoredUser; readonly session: StoredSession }> => {
  const { sub, sid, n } = await verifyToken('refresh', refreshToken).catch((error) => {
    throw error instanceof TokenError ? invalidRefreshToken(error) : error;
  });
  const userId = Number(sub);
  const [userItem, sessionItem] = await batchGet([
    userKeys.record.at({ id: userId }),
    userKeys.session.at({ userId, id: sid }),
  ]);
  const [user, before] = [parseUser(userItem), parseSession(sessionItem)];
  const now = Date.now();
  if (!user || !before || !isSessionActive(before, user, now)) throw invalidRefreshToken();
  const { expiresAt, ttl } = getExpiry(now, before.endsAt);
  const { written, item } = await conditionalUpdate({
    Key: userKeys.session.at({ userId, id: sid }),
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
  const session = parseSession(item);
  if (!session) throw invalidRefreshToken();
  if (written || (session.rotation === n + 1 && isReplayable(session, now))) {
    return { user, session };
  }
  // A token that was exchanged long ago may be stolen, and so may its successor.
  await end(userId, sid, recorder, 'protection');
  throw invalidRefreshToken();
};

/** Creates the write that deletes a session, or makes it unusable and keeps why until it would have expired. */
const endWrite = (Key: Key, reason: SignOutReason | undefined): Write => {
  // Concurrent requests that end the session add one audit entry.
  const ConditionExpression = 'attribute_exists(pk) AND attribute_not_exists(endedBy)';
  if (!reason) return { Delete: { TableName: tableName(), Key, ConditionExpression } };
  return {
    Update: {
      TableName: tableName(),
      Key,
      UpdateExpression: 'SET epoch = :ended, rotation = :ended, endedBy = :reason',
      ConditionExpression,
      ExpressionAttributeValues: { ':ended': endedEpoch, ':reason': reason },
    },
  };
};

/**
 * Ends a session and its access tokens immediately. `reason` is what its browser is told; none if it signs out itself.
 * Returns whether the session was still active.
 */
export const end = async (
  userId: number,
  id: string,
  recorder: ChangeRecorder,
  reason?: SignOutReason,
): Promise<boolean> => {
  const refused = await transact([
    { write: endWrite(userKeys.session.at({ userId, id }), reason), refused: 'ended' },
    ...recorder.steps({ subject: `user:${userId}`, before: { session: id } }),
  ]);
  return refused === undefined;
};

/**
 * Ends every session of the user immediately, in one write: those of the epoch that the caller read. If the epoch has
 * advanced since, they have ended already, except the one that changed the password.
 */
export const endAll = async (
  { id, sessionEpoch, passwordHash }: StoredUser,
  recorder: ChangeRecorder,
  reason: SignOutReason,
): Promise<void> => {
  const refused = await transact([
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.record.at({ id }),
          UpdateExpression: 'SET sessionEpoch = :next, sessionsEndedBy = :reason',
          ConditionExpression: 'attribute_exists(pk) AND sessionEpoch = :seen',
          ExpressionAttributeValues: {
            ':seen': sessionEpoch,
            ':next': sessionEpoch + 1,
            ':reason': reason,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refused: 'changed',
    },
    ...recorder.steps({ subject: `user:${id}`, before: { sessions: 'all' } }),
  ]);
  const user = parseUser(refused?.item);
  if (user && user.passwordHash !== passwordHash) await endAll(user, recorder, reason);
};

const maxListed = 100;

/** Lists a user's active sessions, most recently used first, up to 100. A user who is still being read costs no round trip. */
export const list = async (
  userId: number,
  reading: StoredUser | Promise<StoredUser>,
): Promise<StoredSession[]> => {
  const stored = queryMatches(startAt(userKeys.session.prefix({ userId })), {
    matches: 1_000,
    scanned: 1_000,
  });
  const [user, { items }] = await Promise.all([reading, stored]);
  const now = Date.now();
  const getLastUse = ({ lastUsedAt, createdAt }: StoredSession) => lastUsedAt ?? createdAt;
  return items
    .map(parseSession)
    .filter((session) => isSessionActive(session, user, now))
    .sort((a, b) => getLastUse(b).localeCompare(getLastUse(a)))
    .slice(0, maxListed);
};

/**
 * Ends one of the user's active sessions immediately.
 * @throws AppError NOT_FOUND
 */
export const revoke = async (
  user: StoredUser,
  id: string,
  recorder: ChangeRecorder,
  reason: SignOutReason,
): Promise<void> => {
  const [item] = await batchGet([userKeys.session.at({ userId: user.id, id })]);
  const session = parseSession(item);
  const isActive = session !== undefined && isSessionActive(session, user, Date.now());
  if (!isActive || !(await end(user.id, id, recorder, reason))) {
    throw new AppError('NOT_FOUND', 'Session not found.');
  }
};
