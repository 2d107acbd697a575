import { readRolesOf } from '../../../../shared/auth/custom-roles.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { isActive, parseUser, type StoredUser } from '../../../../shared/auth/user.ts';
import { mustVerify } from '../../../../shared/auth/verification.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { queryMatches, startAt } from '../../../../shared/db/query.ts';
import { can } from '../../../../shared/permissions/permissions.ts';
import { getEffectivePermissions } from '../../../../shared/permissions/roles.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import { isCurrent, parseWebhook, type StoredWebhook } from './webhook.ts';

/** Those that ended with the API tokens of their user stay until the next is created. */
const maxStored = 200;

/** A user and their webhooks as stored now, the newest first; `ended` are those that no longer count. */
export interface Owner {
  readonly user: StoredUser;
  readonly webhooks: readonly StoredWebhook[];
  readonly ended: readonly StoredWebhook[];
}

/** Reads a user and their webhooks, strongly consistent, in one round trip. `undefined` if the user was removed. */
export const readOwner = async (userId: number): Promise<Owner | undefined> => {
  const [[item], { items }] = await Promise.all([
    batchGet([userKeys.record.at({ id: userId })]),
    queryMatches(startAt(webhookKeys.hook.prefix({ userId })), {
      matches: maxStored,
      scanned: maxStored,
    }),
  ]);
  const user = parseUser(item);
  if (!user) return undefined;
  const stored = items.map(parseWebhook).toReversed();
  return {
    user,
    webhooks: stored.filter((one) => isCurrent(one, user)),
    ended: stored.filter((one) => !isCurrent(one, user)),
  };
};

/** Reads a user and one webhook of theirs; `undefined` unless both are there. */
export const readOne = async (
  userId: number,
  id: number,
): Promise<{ readonly user: StoredUser; readonly webhook: StoredWebhook } | undefined> => {
  const [owner, item] = await batchGet([
    userKeys.record.at({ id: userId }),
    webhookKeys.hook.at({ userId, id }),
  ]);
  const [user, webhook] = [parseUser(owner), parseWebhook(item)];
  return user && webhook && isCurrent(webhook, user) ? { user, webhook } : undefined;
};

/** Returns whether webhooks of a user deliver at all: one who is suspended, is leaving or must verify the address tells nobody. */
export const mayDeliver = (user: StoredUser): boolean => isActive(user) && !mustVerify(user);

/** Returns whether a user may be told of what the audit has, by the rights of now. */
export const mayHearAudit = async (user: StoredUser): Promise<boolean> =>
  can(getEffectivePermissions(user, await readRolesOf([user])), 'webhooks:manage');
