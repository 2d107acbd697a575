import { createWorker } from '../../../shared/jobs/job-type.ts';
import { exportEmail } from './exports/jobs.ts';
import {
  accountDeletedEmail,
  emailRefused,
  invitationEmail,
  passwordResetEmail,
  securityAlert,
  securityAlertEmail,
  signInCodeEmail,
  userReconciliation,
  verificationEmail,
} from './record/jobs.ts';

const loadAlertDelivery = () => import('./account/security-alert-delivery.ts');

// Loads each module with its first job: most batches have none.
export const work = [
  createWorker(passwordResetEmail, async ({ email, isExcess }) => {
    if (!isExcess) await (await import('./account/account-emails.ts')).sendResetEmail(email);
  }),
  createWorker(securityAlert, async (alert) => (await loadAlertDelivery()).deliverAlert(alert)),
  createWorker(securityAlertEmail, async (alert) =>
    (await loadAlertDelivery()).sendAlertEmail(alert),
  ),
  createWorker(invitationEmail, async ({ userId }) =>
    (await import('./account/account-emails.ts')).sendInvitation(userId),
  ),
  createWorker(verificationEmail, async (data) =>
    (await import('./account/account-emails.ts')).sendVerification(data),
  ),
  createWorker(signInCodeEmail, async (data) =>
    (await import('./account/sign-in-code-email.ts')).sendSignInCode(data),
  ),
  createWorker(accountDeletedEmail, async (account) =>
    (await import('./account/deleted-email.ts')).sendDeleted(account),
  ),
  createWorker(exportEmail, async (ended) =>
    (await import('./exports/email.ts')).sendExportEmail(ended),
  ),
  createWorker(emailRefused, async (refused) =>
    (await import('./account/email-problems.ts')).markRefused(refused),
  ),
  createWorker(userReconciliation, async (reconciliation) =>
    (await import('./reconcile.ts')).reconcileUser(reconciliation),
  ),
];
