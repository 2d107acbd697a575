import * as z from 'zod';
import { jobType } from '../jobs/job.ts';

export const invitationMail = jobType('invitation-mail', z.object({ userId: z.int() }), {
  once: true,
});

/** Brings what a user owns in line with what became of the user: suspended, active again, removed. */
export const userSettling = jobType(
  'settle-user',
  z.object({
    userId: z.int(),
    transferTo: z.int().optional(),
    removedAt: z.int().optional(),
    sharesAfter: z.string().optional(),
  }),
);
