import { worker } from '../jobs/job.ts';
import { resetMail } from './jobs.ts';

export const work = [
  // Loaded with its first job: most batches send no mail.
  worker(resetMail, async ({ email }) => (await import('./recovery-mail.ts')).sendResetMail(email)),
];
