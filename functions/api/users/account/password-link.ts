import { createHash, randomBytes } from 'node:crypto';
import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { alertWrite } from '../record/security-alert.ts';
import * as users from '../record/users.ts';

const hourMs = 60 * 60_000;

/** The links for setting a password without a session, with their path and lifetime (decisions.md#recovery). */
const kinds = {
  reset: { path: '/reset', lifetimeMs: hourMs },
  /** Valid only for an account without a password. */
  invitation: { path: '/invite', lifetimeMs: 7 * 24 * hourMs },
} as const;

export type LinkKind = keyof typeof kinds;

/** The token contains the id of its user, so that one read finds it. */
export const tokenPattern = /^([1-9]\d{0,15})\.([\w-]{43})$/;

/**
 * Returns the hash that is stored of a link. It covers the kind and the email address, so that a link is valid for its own
 * kind only, and a change of the address invalidates it in any order of the writes.
 */
const hashLink = (kind: LinkKind, secret: string, email: string): string =>
  createHash('sha256').update(`${kind} ${secret} ${email}`).digest('base64url');

/** Creates the error for an invalid token, the same for any reason. */
export const invalidLinkError = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This link is invalid or expired. Request a new one.', {
    details: [{ field: 'token', message: 'is invalid or expired; request a new link' }],
  });

const createLink = async (
  kind: LinkKind,
  userId: number,
  sentTo: string | undefined,
): Promise<string | undefined> => {
  const email = sentTo ?? (await users.find(userId))?.email;
  if (email === undefined) return undefined;
  const { path, lifetimeMs } = kinds[kind];
  const secret = randomBytes(32).toString('base64url');
  const unusedCondition = kind === 'invitation' ? ' AND attribute_not_exists(passwordHash)' : '';
  const { written } = await conditionalUpdate({
    Key: userKeys.record.at({ id: userId }),
    UpdateExpression: 'SET passwordTokenHash = :hash, passwordTokenExpiresAt = :expiresAt',
    ConditionExpression: `attribute_exists(pk) AND email = :email${unusedCondition}`,
    ExpressionAttributeValues: {
      ':hash': hashLink(kind, secret, email),
      ':expiresAt': new Date(Date.now() + lifetimeMs).toISOString(),
      ':email': email,
    },
  });
  return written ? `${getSetting('PUBLIC_URL')}${path}?token=${userId}.${secret}` : undefined;
};

/**
 * Creates a link for setting a new password, valid once and for an hour. A newer link or a change of the email address ends
 * it. Returns `undefined` if the user doesn't exist, or no longer has the address `sentTo`.
 */
export const createResetLink = (userId: number, sentTo?: string): Promise<string | undefined> =>
  createLink('reset', userId, sentTo);

/**
 * Creates such a link for a user without a password, valid for 7 days. Returns `undefined` also if the user has a
 * password.
 */
export const createInvitationLink = (
  userId: number,
  sentTo?: string,
): Promise<string | undefined> => createLink('invitation', userId, sentTo);

/** An account and the valid link that a token belongs to. */
export interface Redeemable {
  readonly user: StoredUser;
  readonly hash: string;
  readonly kind: LinkKind;
}

/**
 * Finds the account of a token of one of the accepted kinds, without using the token.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used, replaced by a newer one or expired
 */
export const readToken = async (
  token: string,
  accepted: readonly LinkKind[],
): Promise<Redeemable> => {
  const [, id, secret = ''] = token.match(tokenPattern) ?? [];
  if (id === undefined) throw invalidLinkError();
  const user = await users.find(Number(id));
  if (!user?.passwordTokenHash || (user.passwordTokenExpiresAt ?? '') <= new Date().toISOString())
    throw invalidLinkError();
  const kind = accepted.find((one) => hashLink(one, secret, user.email) === user.passwordTokenHash);
  if (kind === undefined) throw invalidLinkError();
  if (kind === 'invitation' && user.passwordHash !== undefined) throw invalidLinkError();
  return { user, hash: user.passwordTokenHash, kind };
};

/**
 * Sets a new password with the token of a link, and ends every session and API token. It creates no session.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used, replaced by a newer one or expired
 */
export const resetPassword = async (
  token: string,
  password: string,
  accepted: readonly LinkKind[],
  audit: AuditRecorder,
): Promise<void> => {
  // Rejects invalid tokens before the costly hash; the condition of the write decides.
  const { user, hash, kind } = await readToken(token, accepted);
  const passwordHash = await hashPassword(password);
  await transact([
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.record.at({ id: user.id }),
          UpdateExpression:
            'SET passwordHash = :passwordHash, sessionEpoch = sessionEpoch + :one, tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, version = version + :one, updatedAt = :now REMOVE passwordTokenHash, passwordTokenExpiresAt',
          ConditionExpression:
            'attribute_exists(pk) AND passwordTokenHash = :hash AND email = :email',
          ExpressionAttributeValues: {
            ':passwordHash': passwordHash,
            ':hash': hash,
            ':email': user.email,
            ':one': 1,
            ':zero': 0,
            ':now': new Date().toISOString(),
          },
        },
      },
      refused: invalidLinkError,
    },
    kind === 'reset' ? alertWrite(user, 'password-reset') : undefined,
    // The request has no session, so the link identifies the user.
    ...audit.steps({
      subject: `user:${user.id}`,
      actor: user,
      after: { password: 'changed', link: kind },
    }),
  ]);
};
