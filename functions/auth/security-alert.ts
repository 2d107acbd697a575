import { newSecretId } from '../../shared/ids.ts';
import type { Write } from '../../shared/transaction.ts';
import type { StoredUser } from '../../shared/user.ts';
import { jobWrite } from '../jobs/outbox.ts';
import { type SecurityAlert, securityAlert } from '../users/jobs.ts';

/**
 * The write by which the owner of an account learns of what happens to it, for the transaction in which it does. `user` is
 * the account as it was before.
 */
export const alertWrite = (
  user: Pick<StoredUser, 'id' | 'email'>,
  event: SecurityAlert['event'],
  {
    id = newSecretId(),
    ...details
  }: Partial<Pick<SecurityAlert, 'id' | 'token' | 'device' | 'network'>> = {},
): Write =>
  jobWrite(securityAlert, {
    id,
    userId: user.id,
    event,
    at: new Date().toISOString(),
    email: user.email,
    ...details,
  });
