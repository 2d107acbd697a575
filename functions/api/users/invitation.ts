import type { Change } from '../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { isVersion } from '../../../shared/db/field-update.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact, type Write } from '../../../shared/db/transaction.ts';
import { jobWrite } from '../../../shared/jobs/outbox.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { retrying } from '../../../shared/runtime/retry.ts';
import { setting } from '../../../shared/runtime/settings.ts';
import { newInvitationLink } from './account/password-link.ts';
import { checkMayLetIn } from './grants.ts';
import { subjectOf } from './record/audit.ts';
import { invitationMail } from './record/jobs.ts';
import * as users from './record/users.ts';

/** That a user is told where to set a password: by mail, or, while mail is off, by whoever asked and gets the link. */
export interface Invitation {
  readonly link: string | undefined;
}

const isMailOn = (): boolean => setting('MAIL_FROM') !== undefined;

/** Nobody is invited to what is shut, nor to what has a password already. */
const isInvitable = ({ status, passwordHash }: StoredUser): boolean =>
  status === 'active' && passwordHash === undefined;

const mailTo = ({ id }: StoredUser): Write => jobWrite(invitationMail, { userId: id });

/** The write by which a new user is invited, for the transaction that makes the user; none where that is not by mail. */
export const mailToNew = (user: StoredUser): Write | undefined =>
  isMailOn() && isInvitable(user) ? mailTo(user) : undefined;

/** How a user is invited who has been made with that write: `undefined` for one who isn't. */
export const inviteNew = async (user: StoredUser): Promise<Invitation | undefined> => {
  if (!isInvitable(user)) return undefined;
  if (isMailOn()) return { link: undefined };
  const link = await newInvitationLink(user.id, user.email);
  return link === undefined ? undefined : { link };
};

/** The user is as seen. */
const stillIs = ({ id, version }: StoredUser): Write => {
  const { expression, values } = isVersion(version);
  return {
    ConditionCheck: {
      TableName: tableName(),
      Key: keys.user(id),
      ConditionExpression: expression,
      ExpressionAttributeValues: { ...values },
    },
  };
};

const untilInvited = retrying('The user keeps changing: try again');

/**
 * Invites a user again who has no password yet; the links of earlier invitations end with it.
 * @throws AppError FORBIDDEN for a user who may do more than the actor; NOT_FOUND; CONFLICT when the user has a password
 *   or isn't active
 */
export const inviteAgain = (actor: Actor, id: number, change: Change): Promise<Invitation> =>
  untilInvited(async () => {
    const user = await users.get(id);
    checkMayLetIn(actor, user);
    if (!isInvitable(user)) {
      throw new AppError(
        'CONFLICT',
        user.status === 'active' ? 'This user has a password already' : 'This user is not active',
      );
    }
    const done = { subject: subjectOf(id), after: { invited: user.email } };
    if (isMailOn()) {
      const failed = await transact({
        user: stillIs(user),
        mail: mailTo(user),
        ...change.writes(done),
      });
      return failed ? undefined : { link: undefined };
    }
    const link = await newInvitationLink(id, user.email);
    if (link === undefined) return undefined;
    // Without the entry nobody is handed the link.
    await change.note(done);
    return { link };
  });
