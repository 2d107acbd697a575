import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Ceiling } from '../../../shared/auth/actor.ts';
import { isAppActive, type StoredApp } from '../../../shared/auth/app.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { assertReauthenticated } from '../../../shared/auth/reauthentication.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { conditionalDelete } from '../../../shared/db/conditional-write.ts';
import { updateFields, versionCondition } from '../../../shared/db/field-update.ts';
import { createId } from '../../../shared/db/ids.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { isWider } from '../../../shared/permissions/audiences.ts';
import { canPublish } from '../../../shared/permissions/scopes.ts';
import { invalidField, refusedField } from '../../../shared/runtime/errors.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { describePower } from '../auth/tokens/powerful-tokens.ts';
import { alertWrite } from '../users/record/security-alert.ts';
import { getAppTtl, maxLoginDays } from './app-tokens.ts';
import {
  changedConcurrently,
  countAppWrite,
  isRestorable,
  maxAttempts,
  readAll,
  readOwner,
} from './apps.ts';
import { auditSubject, toAudited } from './audit.ts';
import { type Authorization, getProposedCeiling } from './authorization.ts';
import { hashClientId } from './clients/client-id.ts';
import { createCode } from './codes.ts';

/** What a person decided. */
export interface Decision {
  /** Absent if the app is known: then it keeps what it has. */
  readonly permissions: readonly string[] | undefined;
  readonly ceiling: Ceiling | undefined;
  readonly currentPassword: string | undefined;
}

/** What an app gets. */
interface Grant {
  /** What it needs no new decision for. */
  readonly asked: readonly string[];
  readonly permissions: readonly string[];
  readonly ceiling: Ceiling | undefined;
}

/**
 * Returns what an app gets: nothing beyond what it asked for and the user may, and it publishes within a ceiling.
 * @throws AppError VALIDATION_ERROR about `permissions`; UNPROCESSABLE for a wider audience than the service allows
 */
const decide = (
  { asked, permissions: possible, known }: Authorization,
  { permissions: given, ceiling }: Decision,
): Grant => {
  if (given === undefined) {
    if (!known) throw invalidField('permissions', 'is required');
    // Whoever leads a browser here chooses what is asked, so it narrows nothing that a person decided.
    return { asked: known.asked, permissions: known.permissions, ceiling: known.ceiling };
  }
  const permissions = [...new Set(given)];
  if (permissions.length === 0) throw invalidField('permissions', 'must name at least one');
  if (!permissions.every((entry) => possible.includes(entry))) {
    throw invalidField(
      'permissions',
      `must be among those that the app asks for: ${possible.join(', ')}`,
    );
  }
  if (!canPublish(permissions)) return { asked, permissions, ceiling: undefined };
  const bounds = ceiling ?? getProposedCeiling();
  const limit = getSetting('MAX_AUDIENCE');
  if (bounds.maxAudience !== undefined && isWider(bounds.maxAudience, limit)) {
    throw refusedField('ceiling.maxAudience', `can be at most ${limit} here`);
  }
  return { asked, permissions, ceiling: bounds };
};

/** Creates an id that no other app of the user has: it counts what the app publishes. */
const createFreeId = (stored: readonly StoredApp[]): number => {
  const id = createId();
  return stored.some((one) => one.id === id) ? createFreeId(stored) : id;
};

const createApp = (
  user: StoredUser,
  { client, redirect }: Authorization,
  grant: Grant,
  stored: readonly StoredApp[],
): StoredApp => {
  const now = Date.now();
  return {
    id: createFreeId(stored),
    userId: user.id,
    client: hashClientId(client.id),
    clientId: client.id,
    name: client.name,
    host: redirect.host,
    asked: grant.asked,
    permissions: grant.permissions,
    ...(grant.ceiling && { ceiling: grant.ceiling }),
    period: 1,
    epoch: user.tokenEpoch ?? 0,
    createdAt: new Date(now).toISOString(),
    logins: {},
    version: 1,
    ttl: getAppTtl(now),
  };
};

/** An allowed app again: it keeps its id and, while it is active, its logins. */
const allowAgain = (before: StoredApp, created: StoredApp, isActive: boolean): StoredApp => ({
  ...created,
  id: before.id,
  version: before.version + 1,
  period: isActive ? before.period : before.period + 1,
  ...(isActive && { logins: before.logins, createdAt: before.createdAt }),
});

const appWrite = (before: StoredApp | undefined, app: StoredApp, isActive: boolean): Write => {
  const key = userKeys.app.at({ userId: app.userId, client: app.client });
  if (!before) return createItemWrite(key, app);
  const { name, host, asked, permissions, ceiling, version, ttl } = app;
  // Refreshing changes the logins and no version, so they aren't written back.
  const anew = isActive
    ? {}
    : {
        logins: app.logins,
        createdAt: app.createdAt,
        period: app.period,
        epoch: app.epoch,
        lastUsedAt: undefined,
        revokedAt: undefined,
      };
  const fields = { name, host, asked, permissions, ceiling, version, ttl, ...anew };
  return updateFields(key, fields, versionCondition(before.version));
};

/** Deletes the apps that have ended, so that no more are ever stored. */
const deleteEnded = async (stored: readonly StoredApp[], user: StoredUser, kept: string) => {
  const now = Date.now();
  const ended = stored.filter(
    (app) => app.client !== kept && !isAppActive(app, user, now) && !isRestorable(app, now),
  );
  await Promise.all(
    ended.map(({ userId, client, version }) =>
      conditionalDelete({
        Key: userKeys.app.at({ userId, client }),
        ConditionExpression: 'version = :seen',
        ExpressionAttributeValues: { ':seen': version },
      }),
    ),
  );
};

/**
 * Allows an app what a person decided and returns a code for it, in one transaction with the audit entry and the alert to the
 * owner.
 * @throws AppError as `decide`; as `assertReauthenticated` for powerful permissions, or a wrong password; CONFLICT if there are 50
 *   apps, or they are being changed
 */
export const allow = async (
  actor: SessionActor,
  authorization: Authorization,
  decision: Decision,
  recorder: ChangeRecorder,
): Promise<string> => {
  const grant = decide(authorization, decision);
  const power = describePower({ ...grant, expiresInDays: maxLoginDays }, 'The app');
  const { currentPassword } = decision;
  if (power !== undefined || currentPassword !== undefined) {
    await assertReauthenticated(actor, currentPassword, power);
  }
  let user: StoredUser | undefined = actor.user;
  for (let attempt = 0; user && attempt < maxAttempts; attempt++) {
    const stored = await readAll(user.id);
    const created = createApp(user, authorization, grant, stored);
    await deleteEnded(stored, user, created.client);
    const before = stored.find(({ client }) => client === created.client);
    const isActive = before !== undefined && isAppActive(before, user, Date.now());
    const app = before ? allowAgain(before, created, isActive) : created;
    const {
      code,
      key,
      stored: storedCode,
    } = createCode({
      userId: user.id,
      client: app.client,
      redirectUri: authorization.redirectUri,
      challenge: authorization.challenge,
      epoch: app.epoch,
      period: app.period,
    });
    const refused = await transact([
      { write: appWrite(before, app, isActive), refused: 'changed' },
      { write: isActive ? undefined : countAppWrite(user, stored), refused: 'changed' },
      createItemWrite(key, storedCode),
      alertWrite(user, 'app-allowed', { token: app.name }),
      ...recorder.steps({
        ...auditSubject(app),
        ...(isActive && { before: toAudited(before) }),
        after: toAudited(app),
      }),
    ]);
    if (!refused) return code;
    user = await readOwner(user.id);
  }
  throw changedConcurrently();
};
