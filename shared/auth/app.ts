import { conditionalUpdate } from '../db/conditional-write.ts';
import { itemParser } from '../db/item-parser.ts';
import type { Key } from '../db/key.ts';
import { type Actor, type Ceiling, readBoth, signInAgain, toTokenActor } from './actor.ts';
import { userKeys } from './keys.ts';
import { touchLastUsed } from './last-used.ts';
import { isFirstUse, type Rotating } from './rotation.ts';
import { TokenError, verifyToken } from './tokens.ts';
import { isActive, type StoredUser } from './user.ts';

/** One authorization of a connected app: a device or workspace that holds tokens. */
export interface AppLogin extends Rotating {
  readonly createdAt: string;
  /** Extended by each refresh. */
  readonly expiresAt: string;
}

/** A connected app as stored, without keys: what a user has allowed a client. */
export interface StoredApp {
  /** Counts what it publishes, and names it in the audit log and the API. */
  readonly id: number;
  readonly userId: number;
  /** The hash of its client id, by which it is stored. */
  readonly client: string;
  readonly clientId: string;
  readonly name: string;
  /** The host that people were sent back to. */
  readonly host: string;
  /** What it asked for when it was allowed: more has to be allowed anew. */
  readonly asked: readonly string[];
  /** What of it the user allowed. */
  readonly permissions: readonly string[];
  readonly ceiling?: Ceiling;
  /** Counts how often it was allowed after it had ended: what was given before stays ended. */
  readonly period: number;
  /** The user's `tokenEpoch` when it was allowed. */
  readonly epoch: number;
  readonly createdAt: string;
  /** Accurate to an hour. */
  readonly lastUsedAt?: string;
  /** When it was revoked. It can be restored for a minute. */
  readonly revokedAt?: string;
  /** By the id of the login; at most 10. */
  readonly logins: Readonly<Record<string, AppLogin>>;
  /** Advanced by each change, except refreshing and use. */
  readonly version: number;
  /** Seconds since 1970, for the table's TTL: when its last login has ended. */
  readonly ttl: number;
}

/** Parses a stored connected app. */
export const parseStoredApp = itemParser<StoredApp>('connected app', ['id', 'epoch', 'logins']);

/** Returns whether a connected app is allowed at a time (ms since 1970). Each of its logins may have ended. */
export const isAppActive = (app: StoredApp, user: StoredUser, at: number): boolean =>
  isActive(user) &&
  app.epoch === (user.tokenEpoch ?? 0) &&
  app.revokedAt === undefined &&
  app.ttl * 1_000 > at;

/** Returns a login of a connected app, if it holds at a time (ms since 1970). */
export const findAppLogin = (
  { logins }: Pick<StoredApp, 'logins'>,
  id: string,
  at: number,
): AppLogin | undefined => {
  const login = Object.hasOwn(logins, id) ? logins[id] : undefined;
  return login && Date.parse(login.expiresAt) > at ? login : undefined;
};

/**
 * Records the first use of a rotation's access token, as `acceptRotation` does for sessions: from then on, the refresh token
 * before may not be used again.
 */
const acceptAppRotation = async (
  key: Key,
  login: string,
  rotation: number,
  now: number,
): Promise<void> => {
  await conditionalUpdate({
    Key: key,
    UpdateExpression: 'SET logins.#login.acceptedRotation = :rotation, lastUsedAt = :now',
    ConditionExpression: 'logins.#login.rotation = :rotation',
    ExpressionAttributeNames: { '#login': login },
    ExpressionAttributeValues: { ':rotation': rotation, ':now': new Date(now).toISOString() },
  });
};

/** The first use is recorded, however soon after it was allowed: its user wants to see that it works. */
const neverUsed = new Date(0).toISOString();

/**
 * Authenticates the access token of a connected app. Reads user and app afresh, so that revoking it takes effect with the next
 * request. Only `POST /mcp` calls it: the token opens nothing else (decisions.md#connected-apps).
 * @throws AppError UNAUTHORIZED
 */
export const authenticateApp = async (token: string): Promise<Actor> => {
  const { sub, app, lid, n, cr } = await verifyToken('app', token).catch((error) => {
    throw error instanceof TokenError ? signInAgain(error) : error;
  });
  const userId = Number(sub);
  const key = userKeys.app.at({ userId, client: app });
  const { user, roles, stored } = await readBoth(userId, key, parseStoredApp, cr === true);
  const now = Date.now();
  const login = stored && isAppActive(stored, user, now) && findAppLogin(stored, lid, now);
  if (!login) throw signInAgain();
  if (isFirstUse(login, n)) await acceptAppRotation(key, lid, n, now);
  else await touchLastUsed(key, { createdAt: stored.lastUsedAt ?? neverUsed }, now, false);
  return toTokenActor(user, roles, { ...stored, isApp: true });
};
