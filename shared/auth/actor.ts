import { batchGet } from '../db/dynamodb.ts';
import { type Key, keys } from '../db/table.ts';
import { covers, getEffectivePermissions } from '../permissions/permissions.ts';
import { AppError } from '../runtime/errors.ts';
import { isApiToken, parseApiToken } from './api-token.ts';
import { touchLastUsed } from './last-used.ts';
import { assertSameSite, readSessionCookie } from './session-cookie.ts';
import { TokenError, verifyToken } from './tokens.ts';
import type { StoredUser } from './user.ts';

/** A session as the table keeps it, without its keys. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  /** The user's `sessionEpoch` when the session began. */
  readonly epoch: number;
  /** Counts the rotations of the refresh token. */
  readonly rotation: number;
  /** When the refresh token was rotated last; absent before the first time. */
  readonly rotatedAt?: string;
  readonly createdAt: string;
  /** Moves on with every refresh, and with the use of the cookie, up to `endsAt`. */
  readonly expiresAt: string;
  /** When it is over in any case. */
  readonly endsAt: string;
  /** Known to an hour. */
  readonly lastUsedAt?: string;
  readonly address: string;
  readonly userAgent?: string;
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
}

/** An API token as the table keeps it, without its keys. */
export interface StoredApiToken {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** What it may do at most; absent where it may do whatever its owner may. */
  readonly permissions?: readonly string[];
  /** The user's `tokenEpoch` when it was made. */
  readonly epoch: number;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
}

/** The signed-in caller, as the table knows the user and the session or API token right now. */
export interface Actor {
  readonly user: StoredUser;
  /** Absent when an API token asks. */
  readonly sessionId: string | undefined;
  /** May this actor do no more than a part of what the user may? So it is for API tokens with permissions of their own. */
  readonly isLimited: boolean;
  /** The effective permissions: the role's and the user's own, of an API token those of them that it has. */
  readonly permissions: readonly string[];
}

/** What of a request tells who sends it. */
export interface Credentials {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[] | undefined;
  readonly hasBody: boolean;
}

const signInAgain = (cause?: unknown) =>
  new AppError('UNAUTHORIZED', 'The access token is missing, invalid or expired. Sign in again.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Is the session still good at this moment (ms since 1970), for a user as stored now? */
export const isSessionActive = (session: StoredSession, user: StoredUser, at: number): boolean =>
  user.status === 'active' &&
  session.epoch === user.sessionEpoch &&
  Date.parse(session.expiresAt) > at;

/** Is the API token still good at this moment (ms since 1970), for a user as stored now? */
export const isApiTokenActive = (token: StoredApiToken, user: StoredUser, at: number): boolean =>
  user.status === 'active' &&
  token.epoch === (user.tokenEpoch ?? 0) &&
  (token.expiresAt === undefined || Date.parse(token.expiresAt) > at);

/** User and session or token, afresh, in one strongly consistent round trip. */
const readBoth = async <Stored>(userId: number, key: Key) => {
  const [user, stored] = await batchGet([keys.user(userId), key]);
  if (!user || !stored) throw signInAgain();
  return { user: user as unknown as StoredUser, stored: stored as Stored };
};

const authenticateSession = async (kind: 'access' | 'session', token: string): Promise<Actor> => {
  const { sub, sid } = await verifyToken(kind, token).catch((error) => {
    throw error instanceof TokenError ? signInAgain(error) : error;
  });
  const key = keys.session(Number(sub), sid);
  const { user, stored } = await readBoth<StoredSession>(Number(sub), key);
  const now = Date.now();
  if (!isSessionActive(stored, user, now)) throw signInAgain();
  await touchLastUsed(key, stored, now, kind === 'session');
  const permissions = getEffectivePermissions(user.role, user.extraPermissions);
  return { user, sessionId: sid, isLimited: false, permissions };
};

const authenticateApiToken = async (token: string): Promise<Actor> => {
  const parsed = parseApiToken(token);
  if (!parsed) throw signInAgain();
  const key = keys.apiToken(parsed.userId, parsed.hash);
  const { user, stored } = await readBoth<StoredApiToken>(parsed.userId, key);
  const now = Date.now();
  if (!isApiTokenActive(stored, user, now)) throw signInAgain();
  await touchLastUsed(key, stored, now, false);
  const owned = getEffectivePermissions(user.role, user.extraPermissions);
  const { permissions: asked } = stored;
  const permissions = asked
    ? [
        ...asked.filter((entry) => covers(owned, entry)),
        ...owned.filter((entry) => covers(asked, entry)),
      ]
    : owned;
  return { user, sessionId: undefined, isLimited: asked !== undefined, permissions };
};

/**
 * Who sends a request: by the access token or API token of its `Authorization` header, or by the session cookie. All
 * that it rests on is read afresh, so that logout, suspension, demotion and revocation hold at the next request.
 * @throws AppError UNAUTHORIZED without good credentials of an active user; FORBIDDEN where the cookie is used from
 *   another site
 */
export const authenticate = async (credentials: Credentials): Promise<Actor> => {
  const { authorization } = credentials.headers;
  if (authorization !== undefined) {
    const token = authorization.match(/^bearer +([\w.-]+)$/i)?.[1];
    if (token === undefined) throw signInAgain();
    return isApiToken(token) ? authenticateApiToken(token) : authenticateSession('access', token);
  }
  const cookie = readSessionCookie(credentials.cookies);
  if (cookie === undefined) throw signInAgain();
  assertSameSite(credentials);
  return authenticateSession('session', cookie);
};
