import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import {
  type AppLogin,
  findAppLogin,
  isAppActive,
  parseStoredApp,
  type StoredApp,
} from '../../../shared/auth/app.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { isReplayable } from '../../../shared/auth/rotation.ts';
import { readToken } from '../../../shared/auth/tokens.ts';
import { parseUser } from '../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { getAppTtl, getLoginExpiry, type Login } from './app-tokens.ts';
import { auditSubject } from './audit.ts';
import { hashClientId } from './clients/client-id.ts';
import { isVerified, parseCode, parseStoredCode, type StoredCode } from './codes.ts';
import { oauthError } from './oauth-error.ts';

/** Logins of an app: its devices or workspaces. A new one ends the one that was refreshed longest ago. */
const maxLogins = 10;

const maxAttempts = 4;

/** What ended a login that the audit log names. */
type Cause = 'code-reused' | 'refresh-token-reused' | 'client';

const keyOf = ({ userId, client }: Pick<StoredApp, 'userId' | 'client'>) =>
  userKeys.app.at({ userId, client });

/** Ends a login and its tokens immediately. Concurrent requests that end it add one audit entry. */
const end = async (
  app: StoredApp,
  login: string,
  recorder: ChangeRecorder,
  endedBy: Cause,
): Promise<void> => {
  await transact([
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: keyOf(app),
          UpdateExpression: 'SET version = version + :one REMOVE logins.#login',
          ConditionExpression: 'attribute_exists(logins.#login)',
          ExpressionAttributeNames: { '#login': login },
          ExpressionAttributeValues: { ':one': 1 },
        },
      },
      refused: 'ended',
    },
    ...recorder.steps({
      ...auditSubject(app),
      before: { userId: app.userId, login },
      after: { endedBy },
    }),
  ]);
};

const invalidCode = () =>
  oauthError(
    'invalid_grant',
    'The code is invalid, used or expired, or belongs to another request.',
  );

const getLastRefresh = ({ rotatedAt, createdAt }: AppLogin): number =>
  Date.parse(rotatedAt ?? createdAt);

/** Returns the logins that make room for another: those that have expired, and the one refreshed longest ago of ten. */
const findReplaced = ({ logins }: StoredApp, now: number): string[] => {
  const all = Object.entries(logins);
  const expired = all.filter(([, { expiresAt }]) => Date.parse(expiresAt) <= now);
  const active = all
    .filter((one) => !expired.includes(one))
    .sort(([, one], [, other]) => getLastRefresh(other) - getLastRefresh(one));
  return [...expired, ...active.slice(maxLogins - 1)].map(([id]) => id);
};

/** Creates the write that adds a login to an app, unless the app has changed since it was read. */
const addLoginWrite = (app: StoredApp, { login: id }: StoredCode, login: AppLogin): Write => {
  const now = Date.parse(login.createdAt);
  const replaced = findReplaced(app, now).map((one, at) => [`#old${at}`, one] as const);
  const removes = replaced.map(([name]) => `logins.${name}`);
  return {
    Update: {
      TableName: tableName(),
      Key: keyOf(app),
      UpdateExpression: `SET logins.#login = :login, version = version + :one, #ttl = :ttl${removes.length > 0 ? ` REMOVE ${removes.join(', ')}` : ''}`,
      ConditionExpression: 'version = :seen',
      ExpressionAttributeNames: {
        '#login': id,
        '#ttl': 'ttl',
        ...Object.fromEntries(replaced),
      },
      ExpressionAttributeValues: {
        ':login': login,
        ':one': 1,
        ':seen': app.version,
        ':ttl': getAppTtl(now),
      },
    },
  };
};

/** What a client sends to exchange a code. */
export interface CodeExchange {
  readonly code: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly verifier: string;
}

/**
 * Exchanges a code for a login, once, within 60 s, in one transaction. The client, the redirect address and the verifier are those
 * of the request that the code answers. A second use ends the login that the first one gave, and is audited.
 * @throws AppError `invalid_grant`
 */
export const exchangeCode = async (
  { code, clientId, redirectUri, verifier }: CodeExchange,
  recorder: ChangeRecorder,
): Promise<Login> => {
  const parsed = parseCode(code);
  if (!parsed) throw invalidCode();
  const { userId, key } = parsed;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const now = Date.now();
    const [userItem, codeItem, appItem] = await batchGet([
      userKeys.record.at({ id: userId }),
      key,
      userKeys.app.at({ userId, client: hashClientId(clientId) }),
    ]);
    const [user, stored, app] = [
      parseUser(userItem),
      parseStoredCode(codeItem),
      parseStoredApp(appItem),
    ];
    if (!user || !stored || app?.client !== stored.client) throw invalidCode();
    if (stored.usedAt !== undefined) {
      await end(app, stored.login, recorder, 'code-reused');
      throw invalidCode();
    }
    const isValid =
      stored.redirectUri === redirectUri &&
      isVerified(verifier, stored.challenge) &&
      Date.parse(stored.expiresAt) > now &&
      stored.epoch === app.epoch &&
      stored.period === app.period &&
      isAppActive(app, user, now);
    if (!isValid) throw invalidCode();
    const createdAt = new Date(now).toISOString();
    const login = { rotation: 0, createdAt, expiresAt: getLoginExpiry(now, now) };
    const refused = await transact([
      {
        write: {
          Update: {
            TableName: tableName(),
            Key: key,
            UpdateExpression: 'SET usedAt = :now',
            ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(usedAt)',
            ExpressionAttributeValues: { ':now': createdAt },
          },
        },
        refused: 'changed',
      },
      { write: addLoginWrite(app, stored, login), refused: 'changed' },
    ]);
    if (!refused) return { user, app, id: stored.login, login };
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The app is being changed. Try again.');
};

const invalidRefreshToken = () =>
  oauthError('invalid_grant', 'The refresh token is invalid, used or expired. Connect again.');

/**
 * Exchanges a refresh token by advancing its login's rotation in one conditional update, as a session's (decisions.md#sessions).
 * A token that was exchanged long ago ends its login; only that is audited.
 * @throws AppError `invalid_grant`
 */
export const rotate = async (
  refreshToken: string,
  clientId: string,
  recorder: ChangeRecorder,
): Promise<Login> => {
  const claims = await readToken('app-refresh', refreshToken);
  if (!claims || claims.app !== hashClientId(clientId)) throw invalidRefreshToken();
  const { app: client, lid: id, n } = claims;
  const userId = Number(claims.sub);
  const key = userKeys.app.at({ userId, client });
  const [userItem, appItem] = await batchGet([userKeys.record.at({ id: userId }), key]);
  const [user, before] = [parseUser(userItem), parseStoredApp(appItem)];
  const now = Date.now();
  const seen = before && findAppLogin(before, id, now);
  if (!user || !before || !seen || !isAppActive(before, user, now)) throw invalidRefreshToken();
  const { written, item } = await conditionalUpdate({
    Key: key,
    UpdateExpression:
      'SET logins.#login.rotation = :next, logins.#login.rotatedAt = :now, logins.#login.expiresAt = :expiresAt, #ttl = :ttl',
    ConditionExpression:
      'logins.#login.rotation = :n AND epoch = :epoch AND attribute_not_exists(revokedAt)',
    ExpressionAttributeNames: { '#login': id, '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':n': n,
      ':next': n + 1,
      ':epoch': before.epoch,
      ':now': new Date(now).toISOString(),
      ':expiresAt': getLoginExpiry(Date.parse(seen.createdAt), now),
      ':ttl': getAppTtl(now),
    },
  });
  const app = parseStoredApp(item);
  const login = app && findAppLogin(app, id, now);
  if (!app || !login || !isAppActive(app, user, now)) throw invalidRefreshToken();
  if (written || (login.rotation === n + 1 && isReplayable(login, now))) {
    return { user, app, id, login };
  }
  // A token that was exchanged long ago may be stolen, and so may its successor.
  await end(app, id, recorder, 'refresh-token-reused');
  throw invalidRefreshToken();
};

/**
 * Ends the login of a token, of either kind. Does nothing for any other token, or one of another client.
 * https://www.rfc-editor.org/rfc/rfc7009#section-2.1
 */
export const revokeToken = async (
  token: string,
  clientId: string | undefined,
  recorder: ChangeRecorder,
): Promise<void> => {
  const claims = (await readToken('app-refresh', token)) ?? (await readToken('app', token));
  if (!claims || (clientId !== undefined && claims.app !== hashClientId(clientId))) return;
  const [item] = await batchGet([
    userKeys.app.at({ userId: Number(claims.sub), client: claims.app }),
  ]);
  const app = parseStoredApp(item);
  if (app && Object.hasOwn(app.logins, claims.lid)) {
    await end(app, claims.lid, recorder, 'client');
  }
};
