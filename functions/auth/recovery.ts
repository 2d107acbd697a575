import { createHash, randomBytes } from 'node:crypto';
import { updateIf } from '../../shared/conditional-write.ts';
import { invalidField } from '../../shared/errors.ts';
import { hashPassword } from '../../shared/passwords.ts';
import { setting } from '../../shared/settings.ts';
import { batchGet, keys } from '../../shared/table.ts';
import type { StoredUser } from '../../shared/user.ts';

/** How long a link to a new password is good (decisions §3). */
const lifetimeMs = 60 * 60_000;

/** The token names its user, so that finding it is one read; only the SHA-256 of the secret is stored. */
const tokenPattern = /^(\d{1,16})\.([\w-]{43})$/;

const sha256 = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

const badToken = () =>
  invalidField('token', 'is wrong, was used already, or is older than an hour: ask for a new link');

/**
 * A link with which the user can set a new password within an hour, once. The newest link is the only one.
 * Answers `undefined` when the user has just been deleted.
 */
export const newResetLink = async (userId: number): Promise<string | undefined> => {
  const secret = randomBytes(32).toString('base64url');
  const { written } = await updateIf({
    Key: keys.user(userId),
    UpdateExpression: 'SET resetHash = :hash, resetExpiresAt = :expiresAt',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: {
      ':hash': sha256(secret),
      ':expiresAt': new Date(Date.now() + lifetimeMs).toISOString(),
    },
  });
  return written ? `${setting('PUBLIC_URL')}/reset?token=${userId}.${secret}` : undefined;
};

/**
 * Sets a new password by the token of a link, and ends every session and API token. Nobody is signed in by it.
 * @throws AppError VALIDATION_ERROR about `token` when it is wrong, used or too old
 */
export const resetPassword = async (token: string, password: string): Promise<void> => {
  const [, id, secret = ''] = token.match(tokenPattern) ?? [];
  if (id === undefined) throw badToken();
  const key = keys.user(Number(id));
  const now = new Date().toISOString();
  const hash = sha256(secret);
  const [user] = (await batchGet([key])) as [StoredUser | undefined];
  // Looked at before the costly hash is made; what counts is the condition of the write.
  if (user?.resetHash !== hash || (user.resetExpiresAt ?? '') <= now) throw badToken();
  const passwordHash = await hashPassword(password);
  const { written, item } = await updateIf({
    Key: key,
    UpdateExpression:
      'SET passwordHash = :passwordHash, sessionEpoch = sessionEpoch + :one, tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, version = version + :one, updatedAt = :now REMOVE resetHash, resetExpiresAt',
    ConditionExpression: 'attribute_exists(pk) AND resetHash = :hash',
    ExpressionAttributeValues: {
      ':passwordHash': passwordHash,
      ':hash': hash,
      ':one': 1,
      ':zero': 0,
      ':now': now,
    },
  });
  // The hash is salted: that it is there means that this very write has happened, and its answer was lost.
  if (!written && item?.['passwordHash'] !== passwordHash) throw badToken();
};
