import { createWorker } from '../../../shared/jobs/job-type.ts';
import { notificationEmail } from '../../../shared/notifications/jobs.ts';

// Loads the email’s module with its first job: most batches have none.
export const work = [
  createWorker(notificationEmail, async (email) =>
    (await import('./email.ts')).sendNotificationEmail(email),
  ),
];
