import { createHash, randomBytes } from 'node:crypto';
import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { alertWrite } from '../record/security-alert.ts';
import * as users from '../record/users.ts';

const hourMs = 60 * 60_000;

/** The links by which somebody sets a password without being signed in: where they lead, and how long they are good (decisions.md#recovery). */
const kinds = {
  reset: { path: '/reset', lifetimeMs: hourMs },
  /** Good only for an account that has no password yet. */
  invitation: { path: '/invite', lifetimeMs: 7 * 24 * hourMs },
} as const;

export type LinkKind = keyof typeof kinds;

/** The token names its user, so that finding it is one read. */
export const tokenPattern = /^([1-9]\d{0,15})\.([\w-]{43})$/;

/**
 * What is stored of a link. Kind and e-mail address are part of it: no link is taken for one of the other kind, and
 * whoever gets another address has no link to the old one any more, whichever write comes first.
 */
const hashLink = (kind: LinkKind, secret: string, email: string): string =>
  createHash('sha256').update(`${kind} ${secret} ${email}`).digest('base64url');

/** The refusal of a token, whatever is wrong with it. */
export const invalidLinkError = (): AppError =>
  new AppError('VALIDATION_ERROR', 'This link is wrong, was used already or is too old', {
    details: [
      { field: 'token', message: 'is wrong, was used already or is too old: ask for a new link' },
    ],
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
  const isOpen = kind === 'invitation' ? ' AND attribute_not_exists(passwordHash)' : '';
  const { written } = await conditionalUpdate({
    Key: keys.user(userId),
    UpdateExpression: 'SET passwordTokenHash = :hash, passwordTokenExpiresAt = :expiresAt',
    ConditionExpression: `attribute_exists(pk) AND email = :email${isOpen}`,
    ExpressionAttributeValues: {
      ':hash': hashLink(kind, secret, email),
      ':expiresAt': new Date(Date.now() + lifetimeMs).toISOString(),
      ':email': email,
    },
  });
  return written ? `${getSetting('PUBLIC_URL')}${path}?token=${userId}.${secret}` : undefined;
};

/**
 * A link with which the user can set a new password within an hour, once. The newest link is the only one, and it ends
 * with the e-mail address it was made for. `undefined` when there is no such user, or none of the address `sentTo`.
 */
export const createResetLink = (userId: number, sentTo?: string): Promise<string | undefined> =>
  createLink('reset', userId, sentTo);

/**
 * The same for a user who has no password yet, good for 7 days.
 * `undefined` also when the user has a password.
 */
export const createInvitationLink = (
  userId: number,
  sentTo?: string,
): Promise<string | undefined> => createLink('invitation', userId, sentTo);

/** An account as it is, for which a token is good, and of what kind its link is. */
export interface Redeemable {
  readonly user: StoredUser;
  readonly hash: string;
  readonly kind: LinkKind;
}

/**
 * The account that the token of a link of such a kind is good for. It uses nothing up.
 * @throws AppError VALIDATION_ERROR about `token` when it is wrong, used, replaced by a newer one or too old
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
 * Sets a new password by the token of a link, and ends every session and API token. Nobody is signed in by it.
 * @throws AppError VALIDATION_ERROR about `token` when it is wrong, used, replaced by a newer one or too old
 */
export const resetPassword = async (
  token: string,
  password: string,
  accepted: readonly LinkKind[],
  audit: AuditRecorder,
): Promise<void> => {
  // Looked at before the costly hash is made; what counts is the condition of the write.
  const { user, hash, kind } = await readToken(token, accepted);
  const passwordHash = await hashPassword(password);
  const failed = await transact({
    user: {
      Update: {
        TableName: tableName(),
        Key: keys.user(user.id),
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
    alert: kind === 'reset' ? alertWrite(user, 'password-reset') : undefined,
    // Nobody is signed in: whoever has the link acts for the user.
    ...audit.writes({
      subject: `user:${user.id}`,
      actorId: user.id,
      after: { password: 'changed', link: kind },
    }),
  });
  if (failed) throw invalidLinkError();
};
