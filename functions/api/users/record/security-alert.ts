import type { StoredUser } from '../../../../shared/auth/user.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { type SecurityAlert, securityAlert } from './jobs.ts';

/**
 * Creates the write that notifies the owner of a security event, for the transaction that causes it
 * (decisions.md#security-alerts). `user` is the account before the event.
 */
export const alertWrite = (
  user: Pick<StoredUser, 'id' | 'email' | 'emailProblem'>,
  event: SecurityAlert['event'],
  {
    id = createRandomId(),
    ...details
  }: Partial<Pick<SecurityAlert, 'id' | 'token' | 'device' | 'network' | 'deletesAt'>> = {},
): Write =>
  enqueueWrite(securityAlert, {
    id,
    userId: user.id,
    event,
    at: new Date().toISOString(),
    ...(!user.emailProblem && { email: user.email }),
    ...details,
  });
