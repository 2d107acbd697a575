import { randomBytes } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { nextVersion } from '../../../../shared/db/versioned-record.ts';
import { enqueue } from '../../../../shared/jobs/queue.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { assertAllowedDomain } from '../record/allowed-domains.ts';
import { auditUpdated } from '../record/audit.ts';
import { changeEmail, nothingPending } from '../record/email-change.ts';
import { verificationEmail } from '../record/jobs.ts';
import { indexWrites } from '../record/user-index.ts';
import { updateUserWrite } from '../record/user-writes.ts';
import * as users from '../record/users.ts';
import {
  getAddressToVerify,
  hashVerification,
  invalidLinkError,
  readVerification,
  tokenPattern,
} from './link-token.ts';

const lifetimeMs = 24 * 60 * 60_000;

const retryOnConflict = createRetry('The account is being modified. Try again.');

/** A verification link, and the address that it proves. */
export interface VerificationLink {
  readonly url: string;
  readonly email: string;
}

/**
 * Creates a link that verifies the address of a user or confirms the pending one, valid once, for 24 hours and in a session of
 * that user. A newer link and another address end it. Returns `undefined` if there is nothing to verify, or if the address
 * changes meanwhile.
 */
export const createVerificationLink = async (
  user: StoredUser,
): Promise<VerificationLink | undefined> => {
  const email = getAddressToVerify(user);
  if (email === undefined) return undefined;
  const secret = randomBytes(32).toString('base64url');
  const { written } = await conditionalUpdate({
    Key: userKeys.record.at({ id: user.id }),
    UpdateExpression: 'SET emailTokenHash = :hash, emailTokenExpiresAt = :expiresAt',
    ConditionExpression:
      user.pendingEmail === undefined
        ? 'attribute_exists(pk) AND email = :email AND attribute_not_exists(pendingEmail)'
        : 'attribute_exists(pk) AND pendingEmail = :email',
    ExpressionAttributeValues: {
      ':hash': hashVerification(secret, email),
      ':expiresAt': new Date(Date.now() + lifetimeMs).toISOString(),
      ':email': email,
    },
  });
  const url = `${getSetting('PUBLIC_URL')}/verify?token=${user.id}.${secret}`;
  return written ? { url, email } : undefined;
};

/**
 * Verifies the address of a user, or makes the pending one the user's, with the token of a link. The link needs a session of
 * that account, so that no one proves an account for someone else by a click (decisions.md#proven-addresses).
 * @throws AppError FORBIDDEN for the link of another account; VALIDATION_ERROR about `token` if it is invalid, used, replaced
 *   by a newer one or expired, or about `email` if its domain isn't allowed; CONFLICT if someone else has registered the
 *   address meanwhile
 */
export const verifyEmail = (
  userId: number,
  token: string,
  recorder: ChangeRecorder,
): Promise<StoredUser> =>
  retryOnConflict(async () => {
    const [, owner] = token.match(tokenPattern) ?? [];
    if (owner !== undefined && Number(owner) !== userId) {
      throw new AppError('FORBIDDEN', 'This link is for another account. Sign in to that one.');
    }
    const user = await users.get(userId);
    const email = readVerification(user, token);
    if (email === undefined) throw invalidLinkError();
    if (email !== user.email) assertAllowedDomain(email);
    const now = new Date().toISOString();
    const { fields, take, others = [] } = changeEmail(user, email, now);
    const changed = nextVersion(user, {
      ...nothingPending,
      email,
      emailVerifiedAt: now,
      ...fields,
    });
    const refused = await transact([
      { write: updateUserWrite(user, changed), refused: 'changed' },
      ...others,
      {
        write: take,
        refused: () =>
          new AppError(
            'CONFLICT',
            `Someone else has registered ${email} since. Your address stays ${user.email}.`,
          ),
      },
      ...indexWrites(user, changed),
      ...recorder.steps(auditUpdated(user, changed)),
    ]);
    return refused ? undefined : changed;
  });

/**
 * Emails the user a new verification link.
 * @throws AppError CONFLICT if email is off, the address takes no emails, or there is nothing to verify
 */
export const sendVerification = async (user: StoredUser): Promise<string> => {
  const email = getAddressToVerify(user);
  if (email === undefined) {
    throw new AppError('CONFLICT', 'Your email address is already verified.');
  }
  if (!isMailOn()) {
    throw new AppError('CONFLICT', 'Email is off. Ask an administrator for a link.');
  }
  if (user.pendingEmail === undefined && user.emailProblem) {
    throw new AppError(
      'CONFLICT',
      'This address takes no emails. Enter another one in your account.',
    );
  }
  await enqueue(verificationEmail, { userId: user.id, email });
  return email;
};

/**
 * Cancels the change of the user's address that waits to be confirmed.
 * @throws AppError NOT_FOUND if none does
 */
export const cancelEmailChange = async (
  id: number,
  recorder: ChangeRecorder,
): Promise<StoredUser> => {
  const cancel = ({ pendingEmail }: StoredUser): users.UserEdit => {
    if (pendingEmail === undefined) {
      throw new AppError('NOT_FOUND', 'No change of your email address is waiting.');
    }
    return nothingPending;
  };
  return (await users.update(id, cancel, recorder)).user;
};
