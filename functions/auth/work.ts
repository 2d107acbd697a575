import { worker } from '../jobs/job.ts';
import { resetMail, securityAlert, securityAlertMail } from './jobs.ts';

const alertDelivery = () => import('./security-alert-delivery.ts');

export const work = [
  // Loaded with its first job: most batches send no mail.
  worker(resetMail, async ({ email }) => (await import('./recovery-mail.ts')).sendResetMail(email)),
  worker(securityAlert, async (alert) => (await alertDelivery()).deliverAlert(alert)),
  worker(securityAlertMail, async (alert) => (await alertDelivery()).sendAlertMail(alert)),
];
