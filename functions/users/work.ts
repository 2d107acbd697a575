import { worker } from '../../shared/jobs/job-type.ts';
import {
  invitationMail,
  resetMail,
  securityAlert,
  securityAlertMail,
  userSettling,
} from './jobs.ts';

const alertDelivery = () => import('../auth/security-alert-delivery.ts');

// Loaded with the first of their jobs: most batches have none.
export const work = [
  worker(resetMail, async ({ email }) =>
    (await import('../auth/recovery-mail.ts')).sendResetMail(email),
  ),
  worker(securityAlert, async (alert) => (await alertDelivery()).deliverAlert(alert)),
  worker(securityAlertMail, async (alert) => (await alertDelivery()).sendAlertMail(alert)),
  worker(invitationMail, async ({ userId }) =>
    (await import('../auth/recovery-mail.ts')).sendInvitation(userId),
  ),
  worker(userSettling, async (settling) => (await import('./belongings.ts')).settleUser(settling)),
];
