import { worker } from '../../../shared/jobs/job-type.ts';
import {
  invitationMail,
  resetMail,
  securityAlert,
  securityAlertMail,
  userSettling,
} from './record/jobs.ts';

const alertDelivery = () => import('./account/security-alert-delivery.ts');

// Loaded with the first of their jobs: most batches have none.
export const work = [
  worker(resetMail, async ({ email }) =>
    (await import('./account/account-emails.ts')).sendResetMail(email),
  ),
  worker(securityAlert, async (alert) => (await alertDelivery()).deliverAlert(alert)),
  worker(securityAlertMail, async (alert) => (await alertDelivery()).sendAlertMail(alert)),
  worker(invitationMail, async ({ userId }) =>
    (await import('./account/account-emails.ts')).sendInvitation(userId),
  ),
  worker(userSettling, async (settling) => (await import('./reconcile.ts')).settleUser(settling)),
];
