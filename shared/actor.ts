import { AppError } from './errors.ts';
import { effectivePermissions } from './permissions.ts';
import { batchGet, keys } from './table.ts';
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
  readonly expiresAt: string;
  readonly address: string;
  readonly userAgent?: string;
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
}

/** The signed-in caller, as the table knows the user and the session right now. */
export interface Actor {
  readonly user: StoredUser;
  readonly sessionId: string;
  /** The effective permissions: the role's and the user's own. */
  readonly permissions: readonly string[];
}

const signInAgain = (cause?: unknown) =>
  new AppError('UNAUTHORIZED', 'Sign in: the access token is missing, wrong or has expired', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Is the session still good at this moment (ms since 1970), for a user as stored now? */
export const isLive = (session: StoredSession, user: StoredUser, at: number): boolean =>
  user.status === 'active' &&
  session.epoch === user.sessionEpoch &&
  Date.parse(session.expiresAt) > at;

/**
 * Who sends the `Authorization` header. Reads user and session afresh, in one strongly consistent round trip,
 * so that logout, suspension and demotion hold at the next request.
 * @throws AppError UNAUTHORIZED without a token of a live session of an active user
 */
export const authenticate = async (authorization: string | undefined): Promise<Actor> => {
  const token = authorization?.match(/^bearer +([\w.-]+)$/i)?.[1];
  if (token === undefined) throw signInAgain();
  const { sub, sid } = await verifyToken('access', token).catch((error) => {
    throw error instanceof TokenError ? signInAgain(error) : error;
  });
  const userId = Number(sub);
  const [user, session] = (await batchGet([keys.user(userId), keys.session(userId, sid)])) as [
    StoredUser | undefined,
    StoredSession | undefined,
  ];
  if (!user || !session || !isLive(session, user, Date.now())) throw signInAgain();
  return {
    user,
    sessionId: sid,
    permissions: effectivePermissions(user.role, user.extraPermissions),
  };
};
