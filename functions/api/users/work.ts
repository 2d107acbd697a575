import { createWorker } from '../../../shared/jobs/job-type.ts';
import {
  invitationMail,
  resetMail,
  securityAlert,
  securityAlertMail,
  userReconciliation,
} from './record/jobs.ts';

const alertDelivery = () => import('./account/security-alert-delivery.ts');

// Loaded with the first of their jobs: most batches have none.
export const work = [
  createWorker(resetMail, async ({ email }) =>
    (await import('./account/account-emails.ts')).sendResetEmail(email),
  ),
  createWorker(securityAlert, async (alert) => (await alertDelivery()).deliverAlert(alert)),
  createWorker(securityAlertMail, async (alert) => (await alertDelivery()).sendAlertMail(alert)),
  createWorker(invitationMail, async ({ userId }) =>
    (await import('./account/account-emails.ts')).sendInvitation(userId),
  ),
  createWorker(userReconciliation, async (reconciliation) =>
    (await import('./reconcile.ts')).reconcileUser(reconciliation),
  ),
];
