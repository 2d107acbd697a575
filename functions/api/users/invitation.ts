import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { isActive, isInvited, type StoredUser } from '../../../shared/auth/user.ts';
import { isPasswordSignInOn } from '../../../shared/auth/ways-in.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { versionCondition } from '../../../shared/db/field-update.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import { isMailOn } from '../../../shared/runtime/settings.ts';
import { createInvitationLink } from './account/password-link.ts';
import { getSignInAddress } from './account/sign-in-address.ts';
import { assertCanEnter, assertCanGiveAccess, readRolesFrom } from './grants.ts';
import { auditSubject } from './record/audit.ts';
import { invitationEmail } from './record/jobs.ts';
import * as users from './record/users.ts';

/** How a user is invited: by email, or with a link for the caller to pass on if no email can be sent. */
export interface Invitation {
  readonly link: string | undefined;
}

/** Returns whether a user can be invited: active, and nothing signs in yet. */
const isInvitable = (user: StoredUser): boolean => isActive(user) && isInvited(user);

const emailWrite = ({ id }: StoredUser): Write => enqueueWrite(invitationEmail, { userId: id });

/** Creates the write that invites a new user by email, for the transaction that creates the user. */
export const invitationWrite = (user: StoredUser): Write | undefined =>
  isMailOn() && isInvitable(user) ? emailWrite(user) : undefined;

/** Completes the invitation of a user created with `invitationWrite`. Returns `undefined` if the user isn't invited. */
export const invite = async (user: StoredUser): Promise<Invitation | undefined> => {
  if (!isInvitable(user)) return undefined;
  if (isMailOn()) return { link: undefined };
  if (!isPasswordSignInOn()) return { link: getSignInAddress() };
  const link = await createInvitationLink(user.id, user.email, 'passed-on');
  return link === undefined ? undefined : { link };
};

/** Checks that the user is unchanged. */
const unchangedCheck = ({ id, version }: StoredUser): Write => {
  const { expression, values } = versionCondition(version);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: userKeys.record.at({ id }),
      ConditionExpression: expression,
      ExpressionAttributeValues: { ...values },
    },
  };
};

const retryOnConflict = createRetry('The user is being modified. Try again.');

/**
 * Invites a user again whom nothing signs in yet, which ends the links of earlier invitations.
 * @throws AppError FORBIDDEN for a user with more permissions than the actor; NOT_FOUND; CONFLICT if the user has a
 *   password, has signed in or isn't active
 */
export const resendInvitation = (
  actor: Actor,
  id: number,
  recorder: ChangeRecorder,
): Promise<Invitation> =>
  retryOnConflict(async () => {
    const user = await users.get(id);
    const isSent = isMailOn() && !user.emailProblem;
    // Who gets the link can set the password.
    const roles = await readRolesFrom(actor, user.role);
    if (isSent) assertCanGiveAccess(actor, user, roles);
    else {
      assertCanEnter(actor, user, roles);
      assertStepUp(actor, 'Who has the link gets into the account.');
    }
    if (!isInvitable(user)) {
      throw new AppError(
        'CONFLICT',
        !isActive(user)
          ? 'This user is not active.'
          : user.passwordHash === undefined
            ? 'This user has already signed in.'
            : 'This user has already set a password.',
      );
    }
    const audited = { subject: auditSubject(id), after: { invited: user.email } };
    if (isSent) {
      const refused = await transact([
        { write: unchangedCheck(user), refused: 'changed' },
        emailWrite(user),
        ...recorder.steps(audited),
      ]);
      return refused ? undefined : { link: undefined };
    }
    const link = isPasswordSignInOn()
      ? await createInvitationLink(id, user.email, 'passed-on')
      : getSignInAddress();
    if (link === undefined) return undefined;
    // The link must not be returned without an audit entry.
    await recorder.record(audited);
    return { link };
  });
