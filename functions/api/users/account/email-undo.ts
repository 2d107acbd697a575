import { createHash, randomBytes } from 'node:crypto';
import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../../shared/auth/keys.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import {
  canSignIn,
  type FormerEmail,
  parseUser,
  type StoredUser,
} from '../../../../shared/auth/user.ts';
import { isPasswordSignInOn } from '../../../../shared/auth/ways-in.ts';
import { conditionalPut } from '../../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { getSetting, isMailOn } from '../../../../shared/runtime/settings.ts';
import { auditUpdated } from '../record/audit.ts';
import { restoreEmail } from '../record/email-change.ts';
import { endFactors, endIdentities } from '../record/end-factors.ts';
import { passwordResetEmail } from '../record/jobs.ts';
import { accountKeys } from '../record/keys.ts';
import { indexWrites } from '../record/user-index.ts';
import { updateUserWrite } from '../record/user-writes.ts';
import { invalidLinkError, tokenPattern } from './link-token.ts';

const retryOnConflict = createRetry('The account is being modified. Try again.');

const getTokenKey = (userId: number, secret: string) =>
  accountKeys.emailUndo.at({
    userId,
    hash: createHash('sha256').update(`undo-email ${secret}`).digest('base64url'),
  });

const findFormerEmail = (user: StoredUser | undefined, id: unknown): FormerEmail | undefined => {
  const now = new Date().toISOString();
  return user?.formerEmails?.find((one) => one.id === id && one.until > now);
};

/**
 * Creates a link that undoes a change of the email address, valid once and for 72 hours after the change.
 * Returns `undefined` if the change can't be undone.
 */
export const createUndoLink = async (
  user: StoredUser,
  changeId: string,
): Promise<{ readonly url: string; readonly until: string } | undefined> => {
  const former = findFormerEmail(user, changeId);
  if (!former) return undefined;
  const { until } = former;
  const secret = randomBytes(32).toString('base64url');
  await conditionalPut({
    Item: {
      changeId,
      ttl: Math.ceil(Date.parse(until) / 1_000),
      ...getTokenKey(user.id, secret),
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
  return { url: `${getSetting('PUBLIC_URL')}/undo-email?token=${user.id}.${secret}`, until };
};

/** The change that a token undoes, and the account as it is. */
export interface UndoableChange {
  readonly user: StoredUser;
  readonly former: FormerEmail;
}

/**
 * Finds the change that a token undoes, without using the token.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used or expired
 */
export const findUndoableChange = async (token: string): Promise<UndoableChange> => {
  const [, id, secret = ''] = token.match(tokenPattern) ?? [];
  if (id === undefined) throw invalidLinkError();
  const userId = Number(id);
  const [item, stored] = await batchGet([
    userKeys.record.at({ id: userId }),
    getTokenKey(userId, secret),
  ]);
  const user = parseUser(item);
  const former = stored && findFormerEmail(user, stored['changeId']);
  if (!user || !former) throw invalidLinkError();
  return { user, former };
};

/** Returns whether a password reset link can be sent to the user. */
const canReset = (user: StoredUser): boolean =>
  canSignIn(user) && isMailOn() && isPasswordSignInOn();

/**
 * Restores the address that the account had before a change, and ends its password, every session and API token, its connected
 * accounts, and the second factors if any have changed since. Returns the address, and whether a password reset link is sent to it.
 * @throws AppError VALIDATION_ERROR about `token` if it is invalid, used or expired
 */
export const undoEmailChange = async (
  token: string,
  recorder: ChangeRecorder,
): Promise<{ readonly email: string; readonly isEmailSent: boolean }> => {
  await findUndoableChange(token);
  // Someone who has taken over the account knows the former password.
  const passwordHash = await hashPassword(createRandomId());
  return retryOnConflict(async () => {
    const { user, former } = await findUndoableChange(token);
    const { fields, free, take } = restoreEmail(user, former);
    // A thief may have connected an account before the change. The restored address connects the owner's again.
    const { passwordTokenHash: _, passwordTokenExpiresAt: __, hasIdentity: ___, ...rest } = user;
    const endsFactors = user.factorEpoch !== former.factorEpoch;
    const changed = {
      ...rest,
      ...fields,
      passwordHash,
      sessionEpoch: user.sessionEpoch + 1,
      sessionsEndedBy: 'protection',
      tokenEpoch: (user.tokenEpoch ?? 0) + 1,
      ...(endsFactors && {
        secondFactors: undefined,
        factorEpoch: (user.factorEpoch ?? 0) + 1,
      }),
      version: user.version + 1,
      updatedAt: new Date().toISOString(),
    } as StoredUser;
    const isEmailSent = canReset(user);
    const audited = auditUpdated(user, changed);
    const refused = await transact([
      { write: updateUserWrite(user, changed), refused: 'changed' },
      ...(await (endsFactors ? endFactors(user) : endIdentities(user))),
      free,
      { write: take, refused: invalidLinkError },
      ...indexWrites(user, changed),
      isEmailSent ? enqueueWrite(passwordResetEmail, { email: changed.email }) : undefined,
      // The request has no session, so the link identifies the user.
      ...recorder.steps({
        ...audited,
        actor: user,
        after: {
          ...audited.after,
          password: 'ended',
          sessions: 'ended',
          apiTokens: 'ended',
          ...(endsFactors && { secondFactors: 'ended' }),
        },
      }),
    ]);
    return refused ? undefined : { email: changed.email, isEmailSent };
  });
};
