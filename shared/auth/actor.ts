import { batchGet } from '../db/dynamodb.ts';
import { type Item, itemParser } from '../db/item-parser.ts';
import type { Key } from '../db/key.ts';
import type { Audience } from '../permissions/audiences.ts';
import { covers } from '../permissions/permissions.ts';
import { type CustomRoles, getEffectivePermissions, isBuiltIn } from '../permissions/roles.ts';
import { expandScopes, getPermissionEntries, type Scope } from '../permissions/scopes.ts';
import { AppError } from '../runtime/errors.ts';
import { LruCache } from '../runtime/lru-cache.ts';
import { isApiToken, parseApiToken } from './api-token.ts';
import { parseStoredRoles, readRolesFor, roleKeys, toCustomRoles } from './custom-roles.ts';
import { userKeys } from './keys.ts';
import { acceptRotation, touchLastUsed } from './last-used.ts';
import { isFirstUse } from './rotation.ts';
import { assertSameSite, readSessionCookie } from './session-cookie.ts';
import { SessionEnd, type SignOutReason } from './sign-out-reason.ts';
import { TokenError, verifyToken } from './tokens.ts';
import { canSignIn, isActive, parseUser, type StoredUser } from './user.ts';

/** A session as stored, without keys. */
export interface StoredSession {
  readonly id: string;
  readonly userId: number;
  /** The user's `sessionEpoch` when the session began. */
  readonly epoch: number;
  /** Number of rotations of the refresh token. */
  readonly rotation: number;
  /** Last rotation of the refresh token. Absent before the first one. */
  readonly rotatedAt?: string;
  /** The last rotation of which an access token was accepted. Absent before that of the first one. */
  readonly acceptedRotation?: number;
  readonly createdAt: string;
  /** Extended by each refresh and by use of the cookie, up to `endsAt`. */
  readonly expiresAt: string;
  /** When the session ends regardless of its use. */
  readonly endsAt: string;
  /** Accurate to an hour. */
  readonly lastUsedAt?: string;
  readonly address: string;
  readonly userAgent?: string;
  /** Seconds since 1970, for the table's TTL. */
  readonly ttl: number;
  /** When its owner last proved who they are, beyond the password alone: ISO 8601 (decisions.md#second-factors). */
  readonly provenAt?: string;
  /** When its owner last entered the password again: ISO 8601. It counts only while there is no second factor. */
  readonly reenteredAt?: string;
  /** Whether it can do nothing but set up a second factor, which the setting MFA_REQUIRED_ROLES asks for. */
  readonly mustEnrol?: true;
  /** Why it was ended. It then has an epoch and a rotation that none has, so that nothing accepts it. */
  readonly endedBy?: SignOutReason;
}

/** The `epoch` and `rotation` of a session that was ended. */
export const endedEpoch = -1;

/** What the shares that an API token publishes can be at most. An absent field is no bound. */
export interface Ceiling {
  /** Who can open a share. A recipient link and embedding count as `link`. */
  readonly maxAudience?: Audience;
  /** The view limit of a share or recipient link. */
  readonly maxViews?: number;
  /** How long a share or recipient link can be open (seconds since it was created). */
  readonly maxAge?: number;
  /** New shares a day (UTC). */
  readonly sharesPerDay?: number;
}

/** An API token as stored, without keys. */
export interface StoredApiToken {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  /** Its permissions, which its owner must have, too, and its scopes. Absent if it may do all that its owner may. */
  readonly permissions?: readonly string[];
  readonly ceiling?: Ceiling;
  /** The user's `tokenEpoch` when the token was created. */
  readonly epoch: number;
  readonly createdAt: string;
  readonly expiresAt?: string;
  readonly lastUsedAt?: string;
}

/** Parses a stored session. */
export const parseSession = itemParser<StoredSession>('session', ['id', 'epoch', 'expiresAt']);

/** Parses a stored API token. */
export const parseStoredToken = itemParser<StoredApiToken>('API token', [
  'id',
  'epoch',
  'createdAt',
]);

/** The API token of a request, or the connected app. */
export interface ActorToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly ceiling: Ceiling | undefined;
  /** Whether it is a connected app, which can ask its user for more. */
  readonly isApp?: true;
}

/** An assistant's call, for the audit log. */
export interface Via {
  /** What the client calls itself: plain text, unproven unless it is a connected app. */
  readonly client: string;
  /** The name of the tool. */
  readonly tool: string;
}

/** The authenticated caller: user and session or API token as stored now. */
export interface Actor {
  readonly user: StoredUser;
  /** Absent if the caller uses an API token. */
  readonly sessionId: string | undefined;
  /** When the session began (ISO 8601). Absent if the caller uses an API token. */
  readonly signedInAt?: string;
  /** When the session's owner last proved who they are: ISO 8601. Absent before, and if the caller uses an API token. */
  readonly provenAt?: string;
  /** When the session's owner last entered the password again: ISO 8601. */
  readonly reenteredAt?: string;
  /** Whether the session can do nothing but set up a second factor. */
  readonly mustEnrol?: true;
  /** Absent if the caller has a session. */
  readonly token?: ActorToken;
  /** What calls in the caller's name, if an assistant does: its client and the tool. */
  readonly via?: Via;
  /** Whether an API token restricts the user's permissions. */
  readonly isLimited: boolean;
  /** The custom roles, if they were read with the user. */
  readonly roles?: CustomRoles;
  /** Effective permissions: those of the role and the user, restricted by the API token. */
  readonly permissions: readonly string[];
}

/** The parts of a request that authenticate it. */
export interface Credentials {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[] | undefined;
  readonly hasBody: boolean;
}

/**
 * Authenticates a request, or throws UNAUTHORIZED. Calls `onSigned` with the user that a signed token names, before it
 * reads whether the token still holds.
 */
export type Authenticator = (
  credentials: Credentials,
  onSigned: (userId: number) => void,
) => Promise<Actor>;

/** Creates the error for missing, invalid or expired credentials. */
export const signInAgain = (cause?: unknown) =>
  new AppError('UNAUTHORIZED', 'The access token is missing, invalid or expired. Sign in again.', {
    cause,
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Returns whether the session is valid at a time (ms since 1970). */
export const isSessionActive = (session: StoredSession, user: StoredUser, at: number): boolean =>
  canSignIn(user) && session.epoch === user.sessionEpoch && Date.parse(session.expiresAt) > at;

/** Returns whether the API token is valid at a time (ms since 1970). */
export const isApiTokenActive = (token: StoredApiToken, user: StoredUser, at: number): boolean =>
  isActive(user) &&
  token.epoch === (user.tokenEpoch ?? 0) &&
  (token.expiresAt === undefined || Date.parse(token.expiresAt) > at);

/** Users with a custom role of whom this process knows: API tokens can't say it. */
const withCustomRole = new LruCache<true>(1_000);

/**
 * Reads the user and the session or token in one strongly consistent round trip; with `isHinted`, the custom roles too. Without
 * a hint, they take another one the first time (decisions.md#custom-roles).
 * @throws AppError UNAUTHORIZED without the user
 */
export const readBoth = async <Stored>(
  userId: number,
  key: Key,
  parse: (item: Item) => Stored,
  isHinted: boolean,
) => {
  const readsRoles = isHinted || withCustomRole.get(String(userId)) === true;
  const [item, stored, rolesItem] = await batchGet([
    userKeys.record.at({ id: userId }),
    key,
    ...(readsRoles ? [roleKeys.all.at()] : []),
  ]);
  if (!item) throw signInAgain();
  const user = parseUser(item);
  if (isBuiltIn(user.role)) withCustomRole.delete(String(userId));
  else withCustomRole.set(String(userId), true);
  const roles = readsRoles
    ? toCustomRoles(parseStoredRoles(rolesItem))
    : await readRolesFor([user.role]);
  return { user, roles, stored: stored && parse(stored) };
};

/** Returns why a session is not active, if that is known. One whose record is gone has expired. */
const findReason = (
  user: StoredUser,
  session: StoredSession | undefined,
): SignOutReason | undefined => {
  const { sessionEpoch, sessionsEndedBy } = user;
  if (!canSignIn(user)) return 'administrator';
  if (session?.endedBy) return session.endedBy;
  return session && session.epoch !== sessionEpoch ? sessionsEndedBy : 'expired';
};

type OnSigned = (userId: number) => void;

const authenticateSession = async (
  kind: 'access' | 'session',
  token: string,
  onSigned: OnSigned | undefined,
): Promise<Actor> => {
  const claims = await verifyToken(kind, token).catch((error) => {
    throw error instanceof TokenError ? signInAgain(error) : error;
  });
  const { sub, sid } = claims;
  const key = userKeys.session.at({ userId: Number(sub), id: sid });
  onSigned?.(Number(sub));
  const { user, roles, stored } = await readBoth(
    Number(sub),
    key,
    parseSession,
    claims.cr === true,
  );
  const now = Date.now();
  if (!stored || !isSessionActive(stored, user, now)) {
    const reason = findReason(user, stored);
    throw signInAgain(reason && new SessionEnd(reason));
  }
  if ('n' in claims && isFirstUse(stored, claims.n)) await acceptRotation(key, claims.n, now);
  else await touchLastUsed(key, stored, now, kind === 'session');
  const permissions = getEffectivePermissions(user, roles);
  return {
    user,
    roles,
    sessionId: sid,
    signedInAt: stored.createdAt,
    ...(stored.provenAt !== undefined && { provenAt: stored.provenAt }),
    ...(stored.reenteredAt !== undefined && { reenteredAt: stored.reenteredAt }),
    ...(stored.mustEnrol && { mustEnrol: true as const }),
    isLimited: false,
    permissions,
  };
};

/** What an API token or a connected app may do: `permissions` are entries as those of `StoredApiToken`. */
type Grant = Pick<StoredApiToken, 'id' | 'name' | 'permissions' | 'ceiling'> &
  Pick<ActorToken, 'isApp'>;

/** Creates the actor of a user's API token or connected app, which may do no more than its owner. */
export const toTokenActor = (
  user: StoredUser,
  roles: CustomRoles,
  { id, name, permissions: entries, ceiling, isApp }: Grant,
): Actor => {
  const owned = getEffectivePermissions(user, roles);
  const asked = entries && getPermissionEntries(entries);
  const permissions = asked
    ? [
        ...asked.filter((entry) => covers(owned, entry)),
        ...owned.filter((entry) => covers(asked, entry)),
      ]
    : owned;
  return {
    user,
    roles,
    sessionId: undefined,
    token: {
      id,
      name,
      scopes: expandScopes(entries ?? ['*']),
      ceiling,
      ...(isApp && { isApp }),
    },
    isLimited: entries !== undefined,
    permissions,
  };
};

const authenticateApiToken = async (token: string): Promise<Actor> => {
  const parsed = parseApiToken(token);
  if (!parsed) throw signInAgain();
  const key = userKeys.apiToken.at({ userId: parsed.userId, hash: parsed.hash });
  const { user, roles, stored } = await readBoth(parsed.userId, key, parseStoredToken, false);
  const now = Date.now();
  if (!stored || !isApiTokenActive(stored, user, now)) throw signInAgain();
  await touchLastUsed(key, stored, now, false);
  return toTokenActor(user, roles, stored);
};

/**
 * Authenticates a request by the access token or API token of its `Authorization` header, or by the session cookie.
 * Reads user and session afresh, so that sign-out, suspension, demotion and revocation take effect with the next
 * request. `onSigned` is called before that, with the user of a signed token: it must not tell the caller anything. An API
 * token is not signed, so anyone could name any user.
 * @throws AppError UNAUTHORIZED without valid credentials of an active user; FORBIDDEN for a cookie in a cross-site
 *   request
 */
export const authenticate = async (
  credentials: Credentials,
  onSigned?: OnSigned,
): Promise<Actor> => {
  const { authorization } = credentials.headers;
  if (authorization !== undefined) {
    const token = authorization.match(/^bearer +([\w.-]+)$/i)?.[1];
    if (token === undefined) throw signInAgain();
    return isApiToken(token)
      ? authenticateApiToken(token)
      : authenticateSession('access', token, onSigned);
  }
  const cookie = readSessionCookie(credentials.cookies);
  if (cookie === undefined) throw signInAgain();
  assertSameSite(credentials);
  return authenticateSession('session', cookie, onSigned);
};
