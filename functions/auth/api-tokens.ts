import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { type Actor, isTokenLive, type StoredApiToken } from '../../shared/actor.ts';
import { newApiToken } from '../../shared/api-token.ts';
import { putIf } from '../../shared/conditional-write.ts';
import { AppError } from '../../shared/errors.ts';
import { newId } from '../../shared/ids.ts';
import { readMatches, startingWith } from '../../shared/page.ts';
import { documentClient, type Key, keys, tableName } from '../../shared/table.ts';
import { checkMayGrantPermissions } from '../users/grants.ts';

/** A user has no more API tokens than these. */
const maxTokens = 50;
/** More are never stored: those that have ended go when the next is made. */
const maxStored = 10 * maxTokens;
const dayMs = 86_400_000;

const read = async (userId: number): Promise<(StoredApiToken & Key)[]> => {
  const { items } = await readMatches(startingWith(keys.apiToken(userId, '')), {
    matches: maxStored,
    scanned: maxStored,
  });
  return items as unknown as (StoredApiToken & Key)[];
};

const remove = async ({ pk, sk }: Key): Promise<void> => {
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
};

const tooMany = () =>
  new AppError('CONFLICT', `You have ${maxTokens} API tokens: revoke one first`);

/** What a new API token is made of; without permissions it may do whatever its owner may. */
export interface NewApiToken {
  readonly name: string;
  readonly permissions?: readonly string[] | undefined;
  readonly expiresInDays?: number | undefined;
}

/**
 * Makes an API token of the actor's. The token is in the answer and nowhere else: stored is its SHA-256.
 * @throws AppError FORBIDDEN for a permission that the actor doesn't hold; CONFLICT when there are 50
 */
export const mint = async (
  actor: Actor,
  { name, permissions, expiresInDays }: NewApiToken,
): Promise<{ readonly stored: StoredApiToken; readonly token: string }> => {
  if (permissions) checkMayGrantPermissions(actor, permissions);
  const { user } = actor;
  const before = await read(user.id);
  // A reset ends tokens without a write to them, and only some have a TTL.
  await Promise.all(before.filter((one) => one.epoch < (user.tokenEpoch ?? 0)).map(remove));
  if (before.filter((one) => isTokenLive(one, user, Date.now())).length >= maxTokens) {
    throw tooMany();
  }
  const { token, hash } = newApiToken(user.id);
  const now = Date.now();
  const expiresAt =
    expiresInDays === undefined ? undefined : new Date(now + expiresInDays * dayMs).toISOString();
  const stored: StoredApiToken = {
    id: newId(),
    userId: user.id,
    name,
    epoch: user.tokenEpoch ?? 0,
    createdAt: new Date(now).toISOString(),
    ...(permissions && { permissions: [...new Set(permissions)] }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
  const key = keys.apiToken(user.id, hash);
  const ttl = expiresAt === undefined ? undefined : Math.ceil(Date.parse(expiresAt) / 1_000);
  const { written, item } = await putIf({
    Item: { ...key, ...stored, ...(ttl !== undefined && { ttl }) },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  // The same random token can only be there because this very write has happened, and its answer was lost.
  if (!written && item?.['id'] !== stored.id) throw new AppError('CONFLICT', 'Try again');
  // Others may be made at once: whoever comes to see too many takes the own one back, so that never more stay.
  if ((await list(actor)).length > maxTokens) {
    await remove(key);
    throw tooMany();
  }
  return { stored, token };
};

/** The actor's own API tokens that are still good, newest first. */
export const list = async ({ user }: Actor): Promise<StoredApiToken[]> => {
  const now = Date.now();
  return (await read(user.id))
    .filter((token) => isTokenLive(token, user, now))
    .sort((a, b) => b.id - a.id);
};

/**
 * Ends an API token of the actor's at once.
 * @throws AppError NOT_FOUND
 */
export const revoke = async ({ user }: Actor, id: number): Promise<void> => {
  const found = (await read(user.id)).find((token) => token.id === id);
  if (!found) throw new AppError('NOT_FOUND', 'There is no such API token');
  await remove(found);
};
