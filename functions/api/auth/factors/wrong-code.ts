import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { describeDevice } from '../../../../shared/auth/device.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ClientInfo } from '../../../../shared/http/route.ts';
import { AppError, type ErrorDetail } from '../../../../shared/runtime/errors.ts';
import { getMetrics } from '../../../../shared/runtime/telemetry.ts';
import { alertWrite } from '../../users/record/security-alert.ts';

/** The owner is told of one wrong code in this time, because people mistype. */
const toldEveryMs = 60 * 60_000;

/** Audits a wrong code and tells the owner: whoever entered it knows the password or has a session. */
const reportWrongCode = async (
  user: StoredUser,
  recorder: ChangeRecorder,
  client: Partial<ClientInfo>,
): Promise<void> => {
  getMetrics().addMetric('LoginFailures', 'Count', 1);
  const id = `code-failed-${Math.floor(Date.now() / toldEveryMs)}`;
  await transact([
    alertWrite(user, 'code-failed', { id }),
    ...recorder.steps({
      subject: `user:${user.id}`,
      action: 'session.fail',
      actor: user,
      after: { reason: 'wrong code', ...describeDevice(client) },
    }),
  ]);
};

/** Returns whether an error is about a proof that was sent, and not about none or an old challenge. */
const isWrong = ({ field, message }: ErrorDetail): boolean =>
  (field === 'code' || field === 'passkey') && message !== 'is required';

/** Returns what a check of a code or a passkey returns, and reports it if that is wrong. */
export const reportingFailure = async <Result>(
  user: StoredUser,
  recorder: ChangeRecorder,
  check: () => Promise<Result>,
  client: Partial<ClientInfo> = {},
): Promise<Result> => {
  try {
    return await check();
  } catch (error) {
    if (error instanceof AppError && error.details.some(isWrong)) {
      await reportWrongCode(user, recorder, client);
    }
    throw error;
  }
};
