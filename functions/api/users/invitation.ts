import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { versionCondition } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../shared/jobs/outbox.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { createInvitationLink } from './account/password-link.ts';
import { assertCanGiveAccess } from './grants.ts';
import { auditSubject } from './record/audit.ts';
import { invitationMail } from './record/jobs.ts';
import * as users from './record/users.ts';

/** That a user is told where to set a password: by mail, or, while mail is off, by whoever asked and gets the link. */
export interface Invitation {
  readonly link: string | undefined;
}

const isMailOn = (): boolean => getSetting('MAIL_FROM') !== undefined;

/** Nobody is invited to what is shut, nor to what has a password already. */
const isInvitable = ({ status, passwordHash }: StoredUser): boolean =>
  status === 'active' && passwordHash === undefined;

const mailTo = ({ id }: StoredUser): Write => enqueueWrite(invitationMail, { userId: id });

/** The write by which a new user is invited, for the transaction that makes the user; none where that is not by mail. */
export const invitationWrite = (user: StoredUser): Write | undefined =>
  isMailOn() && isInvitable(user) ? mailTo(user) : undefined;

/** How a user is invited who has been made with that write: `undefined` for one who isn't. */
export const invite = async (user: StoredUser): Promise<Invitation | undefined> => {
  if (!isInvitable(user)) return undefined;
  if (isMailOn()) return { link: undefined };
  const link = await createInvitationLink(user.id, user.email);
  return link === undefined ? undefined : { link };
};

/** The user is as seen. */
const isStillInvited = ({ id, version }: StoredUser): Write => {
  const { expression, values } = versionCondition(version);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: keys.user(id),
      ConditionExpression: expression,
      ExpressionAttributeValues: { ...values },
    },
  };
};

const untilInvited = retryOnConflict('The user keeps changing: try again');

/**
 * Invites a user again who has no password yet; the links of earlier invitations end with it.
 * @throws AppError FORBIDDEN for a user who may do more than the actor; NOT_FOUND; CONFLICT when the user has a password
 *   or isn't active
 */
export const resendInvitation = (
  actor: Actor,
  id: number,
  audit: AuditRecorder,
): Promise<Invitation> =>
  untilInvited(async () => {
    const user = await users.get(id);
    assertCanGiveAccess(actor, user);
    if (!isInvitable(user)) {
      throw new AppError(
        'CONFLICT',
        user.status === 'active' ? 'This user has a password already' : 'This user is not active',
      );
    }
    const done = { subject: auditSubject(id), after: { invited: user.email } };
    if (isMailOn()) {
      const failed = await transact({
        user: isStillInvited(user),
        mail: mailTo(user),
        ...audit.writes(done),
      });
      return failed ? undefined : { link: undefined };
    }
    const link = await createInvitationLink(id, user.email);
    if (link === undefined) return undefined;
    // Without the entry nobody is handed the link.
    await audit.record(done);
    return { link };
  });
