import type { StoredUser } from '../../../../shared/auth/user.ts';
import { createRandomId } from '../../../../shared/db/ids.ts';
import type { Write } from '../../../../shared/db/transaction.ts';
import { enqueueWrite } from '../../../../shared/jobs/outbox.ts';
import { type SecurityAlert, securityAlert } from './jobs.ts';

/**
 * The write by which the owner of an account learns of what happens to it, for the transaction in which it does (decisions.md#security-alerts). `user` is
 * the account as it was before.
 */
export const alertWrite = (
  user: Pick<StoredUser, 'id' | 'email'>,
  event: SecurityAlert['event'],
  {
    id = createRandomId(),
    ...details
  }: Partial<Pick<SecurityAlert, 'id' | 'token' | 'device' | 'network'>> = {},
): Write =>
  enqueueWrite(securityAlert, {
    id,
    userId: user.id,
    event,
    at: new Date().toISOString(),
    email: user.email,
    ...details,
  });
