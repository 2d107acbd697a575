import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { type Actor, isApiTokenActive, type StoredApiToken } from '../../../shared/auth/actor.ts';
import { createApiToken } from '../../../shared/auth/api-token.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { batchGet, documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { createItemWrite, transact, type Write } from '../../../shared/db/transaction.ts';
import { queryMatches, startAt } from '../../../shared/lists/pagination.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { assertCanGrantPermissions } from '../users/grants.ts';
import { alertWrite } from '../users/record/security-alert.ts';

/** A user has no more API tokens than these. */
const maxTokens = 50;
/** More are never stored: those that have ended go when the next is made. */
const maxStored = 10 * maxTokens;
const dayMs = 86_400_000;

const read = async (userId: number): Promise<(StoredApiToken & Key)[]> => {
  const { items } = await queryMatches(startAt(keys.apiToken(userId, '')), {
    matches: maxStored,
    scanned: maxStored,
  });
  return items as unknown as (StoredApiToken & Key)[];
};

const remove = async ({ pk, sk }: Key): Promise<void> => {
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
};

const tooManyTokensError = () =>
  new AppError('CONFLICT', `You have ${maxTokens} API tokens: revoke one first`);

const maxTries = 4;

/** The owner, with how many API tokens there ever were when the owner was read. */
type Owner = StoredUser & { readonly apiTokensCreated?: number };

/** The write that counts a new token, unless those made since the owner was read have taken all the room there was. */
const countMint = ({ id, apiTokensCreated = 0 }: Owner, room: number): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.user(id),
    UpdateExpression: 'ADD apiTokensCreated :one',
    ConditionExpression:
      'attribute_exists(pk) AND (attribute_not_exists(apiTokensCreated) OR apiTokensCreated < :full)',
    ExpressionAttributeValues: { ':one': 1, ':full': apiTokensCreated + room },
  },
});

/**
 * How many more tokens the user may have. Removes those that a reset has ended without a write to them, as only some
 * have a TTL.
 * @throws AppError CONFLICT when there are 50 that are good
 */
const pruneExpired = async (user: StoredUser): Promise<number> => {
  const before = await read(user.id);
  await Promise.all(before.filter((one) => one.epoch < (user.tokenEpoch ?? 0)).map(remove));
  const room = maxTokens - before.filter((one) => isApiTokenActive(one, user, Date.now())).length;
  if (room <= 0) throw tooManyTokensError();
  return room;
};

/** What a new API token is made of; without permissions it may do whatever its owner may. */
export interface NewApiToken {
  readonly name: string;
  readonly permissions?: readonly string[] | undefined;
  readonly expiresInDays?: number | undefined;
}

const createToken = (
  user: StoredUser,
  { name, permissions, expiresInDays }: NewApiToken,
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
    ...(endsAt !== undefined && { expiresAt: new Date(endsAt).toISOString() }),
  };
};

const toAudited = ({ name, permissions, expiresAt }: StoredApiToken) => ({
  name,
  permissions: permissions ?? null,
  expiresAt: expiresAt ?? null,
});

/**
 * Makes an API token of the actor's. The token is in the answer and nowhere else: stored is its SHA-256.
 * @throws AppError FORBIDDEN for a permission that the actor doesn't hold; CONFLICT when there are 50, or others are
 *   being made at the same time
 */
export const create = async (
  actor: Actor,
  wanted: NewApiToken,
  audit: AuditRecorder,
): Promise<{ readonly stored: StoredApiToken; readonly token: string }> => {
  if (wanted.permissions) assertCanGrantPermissions(actor, wanted.permissions);
  let user: Owner | undefined = actor.user;
  for (let attempt = 0; user && attempt < maxTries; attempt++) {
    const room = await pruneExpired(user);
    const { token, hash } = createApiToken(user.id);
    const stored = createToken(user, wanted);
    const { expiresAt } = stored;
    const ttl = expiresAt === undefined ? undefined : Math.ceil(Date.parse(expiresAt) / 1_000);
    const failed = await transact({
      token: createItemWrite(keys.apiToken(user.id, hash), {
        ...stored,
        ...(ttl !== undefined && { ttl }),
      }),
      owner: countMint(user, room),
      alert: alertWrite(user, 'token-created', { token: stored.name }),
      ...audit.writes({ subject: `token:${stored.id}`, after: toAudited(stored) }),
    });
    if (!failed) return { stored, token };
    const [now] = await batchGet([keys.user(user.id)]);
    user = now as Owner | undefined;
  }
  throw new AppError('CONFLICT', 'Other API tokens are being made at the same time: try again');
};

/** The actor's own API tokens that are still good, newest first. */
export const list = async ({ user }: Actor): Promise<StoredApiToken[]> => {
  const now = Date.now();
  return (await read(user.id))
    .filter((token) => isApiTokenActive(token, user, now))
    .sort((a, b) => b.id - a.id);
};

/**
 * Ends an API token of the actor's at once.
 * @throws AppError NOT_FOUND
 */
export const revoke = async ({ user }: Actor, id: number, audit: AuditRecorder): Promise<void> => {
  const found = (await read(user.id)).find((token) => token.id === id);
  const failed =
    found &&
    (await transact({
      token: {
        Delete: {
          TableName: tableName(),
          Key: { pk: found.pk, sk: found.sk },
          ConditionExpression: 'attribute_exists(pk)',
        },
      },
      ...audit.writes({ subject: `token:${id}`, before: toAudited(found) }),
    }));
  if (!found || failed) throw new AppError('NOT_FOUND', 'There is no such API token');
};
