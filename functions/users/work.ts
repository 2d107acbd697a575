import { worker } from '../jobs/job.ts';
import { invitationMail, userSettling } from './jobs.ts';

// Loaded with the first of their jobs: most batches have none.
export const work = [
  worker(invitationMail, async ({ userId }) =>
    (await import('../auth/recovery-mail.ts')).sendInvitation(userId),
  ),
  worker(userSettling, async (settling) => (await import('./belongings.ts')).settleUser(settling)),
];
