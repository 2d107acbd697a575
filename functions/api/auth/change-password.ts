import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { isSessionActive, parseSession } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { hashPassword, isPassword } from '../../../shared/auth/passwords.ts';
import type { SignOutReason } from '../../../shared/auth/sign-out-reason.ts';
import { assertStepUp } from '../../../shared/auth/step-up.ts';
import { parseUser } from '../../../shared/auth/user.ts';
import { batchGet, tableName } from '../../../shared/db/dynamodb.ts';
import { transact } from '../../../shared/db/transaction.ts';
import type { SessionActor } from '../../../shared/http/route.ts';
import { AppError, invalidField } from '../../../shared/runtime/errors.ts';
import { alertWrite } from '../users/record/security-alert.ts';

/** The input of a password change. */
export interface PasswordChange {
  readonly currentPassword: string;
  readonly password: string;
  /** `all` ends the API tokens too. */
  readonly scope?: 'sessions' | 'all' | null | undefined;
}

/**
 * Changes the caller's password and ends every other session, and with the scope `all` every API token, in one transaction.
 * @throws AppError VALIDATION_ERROR about `currentPassword` if it is incorrect or has changed since; REAUTHENTICATION_REQUIRED of
 *   someone with a second factor; CONFLICT without a password; UNAUTHORIZED if this session has ended
 */
export const changePassword = async (
  actor: SessionActor,
  { currentPassword, password, scope }: PasswordChange,
  recorder: ChangeRecorder,
): Promise<void> => {
  const { user, sessionId } = actor;
  if (user.passwordHash === undefined) {
    throw new AppError('CONFLICT', 'You have no password. Set one by a link at /forgot.');
  }
  if (!(await isPassword(currentPassword, user.passwordHash))) {
    throw invalidField('currentPassword', 'is incorrect');
  }
  assertStepUp(actor, 'This changes your password.');
  const epoch = user.sessionEpoch + 1;
  const endsTokens = scope === 'all';
  const refused = await transact([
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.record.at({ id: user.id }),
          UpdateExpression: `SET passwordHash = :hash, sessionEpoch = :epoch, sessionsEndedBy = :reason, ${endsTokens ? 'tokenEpoch = if_not_exists(tokenEpoch, :zero) + :one, ' : ''}updatedAt = :now, #version = #version + :one REMOVE passwordTokenHash, passwordTokenExpiresAt`,
          ConditionExpression:
            'attribute_exists(pk) AND passwordHash = :before AND sessionEpoch = :seen',
          ExpressionAttributeNames: { '#version': 'version' },
          ExpressionAttributeValues: {
            ':hash': await hashPassword(password),
            ':before': user.passwordHash,
            ':seen': user.sessionEpoch,
            ':epoch': epoch,
            ':reason': 'password' satisfies SignOutReason,
            ':now': new Date().toISOString(),
            ':one': 1,
            ...(endsTokens && { ':zero': 0 }),
          },
        },
      },
      refused: 'changed',
    },
    {
      write: {
        Update: {
          TableName: tableName(),
          Key: userKeys.session.at({ userId: user.id, id: sessionId }),
          UpdateExpression: 'SET epoch = :epoch',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':epoch': epoch },
        },
      },
      refused: 'changed',
    },
    alertWrite(user, 'password-changed'),
    ...recorder.steps({
      subject: `user:${user.id}`,
      after: { password: 'changed', ...(endsTokens && { apiTokens: 'ended' }) },
    }),
  ]);
  if (!refused) return;
  const [userItem, sessionItem] = await batchGet([
    userKeys.record.at({ id: user.id }),
    userKeys.session.at({ userId: user.id, id: sessionId }),
  ]);
  const [latest, session] = [parseUser(userItem), parseSession(sessionItem)];
  if (!latest || !session || !isSessionActive(session, latest, Date.now())) {
    throw new AppError('UNAUTHORIZED', 'Your session has ended. Sign in again.');
  }
  throw invalidField('currentPassword', 'has just changed; try again');
};
