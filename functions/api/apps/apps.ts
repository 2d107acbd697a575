import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { isAppActive, parseStoredApp, type StoredApp } from '../../../shared/auth/app.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { parseUser, type StoredUser } from '../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { queryMatches, startAt } from '../../../shared/db/query.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { shareKeys } from '../share/record/keys.ts';
import { getAppTtl } from './app-tokens.ts';
import { auditSubject, toAudited } from './audit.ts';

/** Active apps per user. */
const maxApps = 50;

/** Those that are revoked or have ended go with their TTL, a month later at the latest. */
const maxStored = 10 * maxApps;

/** How long a revoked app can be restored. */
const restoreMs = 60_000;

/** How often a change is tried again that met another one. */
export const maxAttempts = 4;

/** Reads the apps of a user, also those that have ended. */
export const readAll = async (userId: number): Promise<StoredApp[]> => {
  const { items } = await queryMatches(startAt(userKeys.app.prefix({ userId })), {
    matches: maxStored,
    scanned: maxStored,
  });
  return items.map(parseStoredApp);
};

/** The owner as read, with the number of apps ever allowed. */
type Owner = StoredUser & { readonly appsAllowed?: number };

/**
 * Creates the write that counts an app that becomes active. It fails if apps that did since the owner was read have used up the
 * room that `stored` leaves.
 * @throws AppError CONFLICT if there are 50 active apps
 */
export const countAppWrite = (user: Owner, stored: readonly StoredApp[]): Write => {
  const now = Date.now();
  const room = maxApps - stored.filter((app) => isAppActive(app, user, now)).length;
  if (room <= 0) {
    throw new AppError(
      'CONFLICT',
      `You can have up to ${maxApps} connected apps. Revoke one first.`,
    );
  }
  return {
    Update: {
      TableName: tableName(),
      Key: userKeys.record.at({ id: user.id }),
      UpdateExpression: 'ADD appsAllowed :one',
      ConditionExpression:
        'attribute_exists(pk) AND (attribute_not_exists(appsAllowed) OR appsAllowed < :limit)',
      ExpressionAttributeValues: { ':one': 1, ':limit': (user.appsAllowed ?? 0) + room },
    },
  };
};

/** Reads the user again after a change that met another one. */
export const readOwner = async (id: number): Promise<StoredUser | undefined> => {
  const [item] = await batchGet([userKeys.record.at({ id })]);
  return parseUser(item);
};

export const changedConcurrently = () =>
  new AppError('CONFLICT', 'Your connected apps are being changed. Try again.');

/** Returns whether an app was revoked so recently that it can be restored. */
export const isRestorable = ({ revokedAt }: StoredApp, now: number): boolean =>
  revokedAt !== undefined && Date.parse(revokedAt) + restoreMs > now;

const notFound = () => new AppError('NOT_FOUND', 'Connected app not found.');

/** An app in the list, with the number of shares that it created today (UTC). */
export interface ListedApp {
  readonly app: StoredApp;
  readonly sharesToday: number;
}

const countToday = async (
  user: StoredUser,
  found: readonly StoredApp[],
  now: number,
): Promise<ListedApp[]> => {
  if (found.length === 0) return [];
  const day = new Date(now).toISOString().slice(0, 10);
  const counts = await batchGet(
    found.map(({ id }) => shareKeys.published.at({ ownerId: user.id, tokenId: id, day })),
  );
  return found.map((app, at) => ({ app, sharesToday: Number(counts[at]?.['shares'] ?? 0) }));
};

/** Lists a user's connected apps, the latest allowed first. */
export const list = async (user: StoredUser): Promise<ListedApp[]> => {
  const now = Date.now();
  const active = (await readAll(user.id))
    .filter((app) => isAppActive(app, user, now))
    .sort((one, other) => other.createdAt.localeCompare(one.createdAt));
  return countToday(user, active, now);
};

const keyOf = ({ userId, client }: StoredApp) => userKeys.app.at({ userId, client });

/**
 * Revokes one of a user's apps: none of its tokens works from now on.
 * @throws AppError NOT_FOUND
 */
export const revoke = async (
  user: StoredUser,
  id: number,
  recorder: ChangeRecorder,
): Promise<void> => {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const now = Date.now();
    const app = (await readAll(user.id)).find((one) => one.id === id);
    if (!app || !isAppActive(app, user, now)) throw notFound();
    const refused = await transact([
      {
        write: updateFields(
          keyOf(app),
          { revokedAt: new Date(now).toISOString(), version: app.version + 1 },
          versionCondition(app.version),
        ),
        refused: 'changed',
      },
      ...recorder.steps({ ...auditSubject(app), before: toAudited(app) }),
    ]);
    if (!refused) return;
  }
  throw changedConcurrently();
};

/**
 * Restores an app that was revoked in the last 60 s, with its logins.
 * @throws AppError NOT_FOUND for any other; CONFLICT if there are 50
 */
export const restore = async (
  owner: StoredUser,
  id: number,
  recorder: ChangeRecorder,
): Promise<ListedApp> => {
  let user: StoredUser | undefined = owner;
  for (let attempt = 0; user && attempt < maxAttempts; attempt++) {
    const now = Date.now();
    const stored = await readAll(user.id);
    const app = stored.find((one) => one.id === id);
    if (!app || !isRestorable(app, now)) throw notFound();
    const { revokedAt: _, ...restored } = { ...app, version: app.version + 1, ttl: getAppTtl(now) };
    if (!isAppActive(restored, user, now)) throw notFound();
    const { version, ttl } = restored;
    const refused = await transact([
      {
        write: updateFields(
          keyOf(app),
          { revokedAt: undefined, version, ttl },
          versionCondition(app.version),
        ),
        refused: 'changed',
      },
      { write: countAppWrite(user, stored), refused: 'changed' },
      ...recorder.steps({ ...auditSubject(app), after: toAudited(restored) }),
    ]);
    if (!refused) {
      const [listed] = await countToday(user, [restored], now);
      return listed ?? { app: restored, sharesToday: 0 };
    }
    user = await readOwner(user.id);
  }
  throw changedConcurrently();
};
