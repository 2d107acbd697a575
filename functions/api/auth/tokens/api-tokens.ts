import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { isApiTokenActive, type StoredApiToken } from '../../../../shared/auth/actor.ts';
import { createApiToken } from '../../../../shared/auth/api-token.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { assertReauthenticated } from '../../../../shared/auth/reauthentication.ts';
import { parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { batchGet, documentClient, tableName } from '../../../../shared/db/dynamodb.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { queryMatches, startAt } from '../../../../shared/db/query.ts';
import { createItemWrite, transact, type Write } from '../../../../shared/db/transaction.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';
import { getPermissionEntries } from '../../../../shared/permissions/scopes.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { assertCanGrantPermissions } from '../../users/grants.ts';
import { alertWrite } from '../../users/record/security-alert.ts';
import { describePower, type TokenPower } from './powerful-tokens.ts';

/** Active API tokens per user. */
const maxTokens = 50;
/** Creating a token deletes the ended ones, so no more are ever stored. */
const maxStored = 10 * maxTokens;
const dayMs = 86_400_000;

/** Parses a stored token with its key, by which it is deleted. */
const parseOwnToken = itemParser<StoredApiToken & Key>('API token', ['pk', 'sk', 'id', 'epoch']);

const read = async (userId: number): Promise<(StoredApiToken & Key)[]> => {
  const { items } = await queryMatches(startAt(userKeys.apiToken.prefix({ userId })), {
    matches: maxStored,
    scanned: maxStored,
  });
  return items.map(parseOwnToken);
};

const deleteToken = async ({ pk, sk }: Key): Promise<void> => {
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
};

const tooManyTokensError = () =>
  new AppError('CONFLICT', `You can have up to ${maxTokens} API tokens. Revoke one first.`);

const maxAttempts = 4;

/** The owner as read, with the number of API tokens ever created. */
type Owner = StoredUser & { readonly apiTokensCreated?: number };

/** Creates the write that counts a new token. It fails if tokens created since the owner was read have used up `room`. */
const countTokenWrite = ({ id, apiTokensCreated = 0 }: Owner, room: number): Write => ({
  Update: {
    TableName: tableName(),
    Key: userKeys.record.at({ id }),
    UpdateExpression: 'ADD apiTokensCreated :one',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(apiTokensCreated) OR apiTokensCreated < :limit)',
    ExpressionAttributeValues: { ':one': 1, ':limit': apiTokensCreated + room },
  },
});

/**
 * Returns how many more tokens the user can have. Deletes those that a password reset ended, because only some of them
 * have a TTL.
 * @throws AppError CONFLICT if there are 50 active tokens
 */
const pruneExpired = async (user: StoredUser): Promise<number> => {
  const stored = await read(user.id);
  await Promise.all(stored.filter((one) => one.epoch < (user.tokenEpoch ?? 0)).map(deleteToken));
  const room = maxTokens - stored.filter((one) => isApiTokenActive(one, user, Date.now())).length;
  if (room <= 0) throw tooManyTokensError();
  return room;
};

/** The fields of a new API token. Without permissions it may do all that its owner may. */
export interface NewApiToken extends TokenPower {
  readonly name: string;
  /** The owner's password, if given. */
  readonly currentPassword?: string | undefined;
}

const createToken = (
  user: StoredUser,
  { name, permissions, ceiling, expiresInDays }: NewApiToken,
): StoredApiToken => {
  const now = Date.now();
  const endsAt = expiresInDays === undefined ? undefined : now + expiresInDays * dayMs;
  return {
    id: createId(),
    userId: user.id,
    name,
    epoch: user.tokenEpoch ?? 0,
    createdAt: new Date(now).toISOString(),
    ...(permissions && { permissions: [...new Set(permissions)] }),
    ...(ceiling && { ceiling }),
    ...(endsAt !== undefined && { expiresAt: new Date(endsAt).toISOString() }),
  };
};

const auditSubject = ({ id, name }: StoredApiToken) => ({
  subject: `token:${id}`,
  subjectName: name,
});

const toAudited = ({ userId, name, permissions, ceiling, expiresAt }: StoredApiToken) => ({
  userId,
  name,
  permissions: permissions ?? null,
  ...ceiling,
  expiresAt: expiresAt ?? null,
});

/**
 * Creates an API token for the actor. Only its SHA-256 is stored; the token itself is returned once.
 * @throws AppError FORBIDDEN for a permission that the actor doesn't have; as `assertReauthenticated` for a powerful token,
 *   or a wrong password; CONFLICT if there are 50, or others are being created concurrently
 */
export const create = async (
  actor: SessionActor,
  fields: NewApiToken,
  recorder: ChangeRecorder,
): Promise<{ readonly stored: StoredApiToken; readonly token: string }> => {
  const { permissions = [], currentPassword } = fields;
  assertCanGrantPermissions(actor, getPermissionEntries(permissions));
  const power = describePower(fields);
  if (power !== undefined || currentPassword !== undefined) {
    await assertReauthenticated(actor, currentPassword, power);
  }
  let user: Owner | undefined = actor.user;
  for (let attempt = 0; user && attempt < maxAttempts; attempt++) {
    const room = await pruneExpired(user);
    const { token, hash } = createApiToken(user.id);
    const stored = createToken(user, fields);
    const { expiresAt } = stored;
    const ttl = expiresAt === undefined ? undefined : Math.ceil(Date.parse(expiresAt) / 1_000);
    const refused = await transact([
      {
        write: createItemWrite(userKeys.apiToken.at({ userId: user.id, hash }), {
          ...stored,
          ...(ttl !== undefined && { ttl }),
        }),
        refused: 'changed',
      },
      { write: countTokenWrite(user, room), refused: 'changed' },
      alertWrite(user, 'token-created', { token: stored.name }),
      ...recorder.steps({ ...auditSubject(stored), after: toAudited(stored) }),
    ]);
    if (!refused) return { stored, token };
    const [latest] = await batchGet([userKeys.record.at({ id: user.id })]);
    user = parseUser(latest);
  }
  throw new AppError('CONFLICT', 'Other API tokens are being created. Try again.');
};

/** Lists a user's active API tokens, newest first. A user who is still being read costs no round trip. */
export const list = async (
  userId: number,
  reading: StoredUser | Promise<StoredUser>,
): Promise<StoredApiToken[]> => {
  const [user, stored] = await Promise.all([reading, read(userId)]);
  const now = Date.now();
  return stored.filter((token) => isApiTokenActive(token, user, now)).sort((a, b) => b.id - a.id);
};

/**
 * Revokes one of a user's API tokens immediately.
 * @throws AppError NOT_FOUND
 */
export const revoke = async (
  user: StoredUser,
  id: number,
  recorder: ChangeRecorder,
): Promise<void> => {
  const found = (await read(user.id)).find((token) => token.id === id);
  const refused =
    found &&
    (await transact([
      {
        write: {
          Delete: {
            TableName: tableName(),
            Key: { pk: found.pk, sk: found.sk },
            ConditionExpression: 'attribute_exists(pk)',
          },
        },
        refused: 'ended',
      },
      ...recorder.steps({ ...auditSubject(found), before: toAudited(found) }),
    ]));
  if (!found || refused) throw new AppError('NOT_FOUND', 'API token not found.');
};
