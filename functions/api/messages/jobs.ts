import * as z from 'zod';
import { jobType } from '../../../shared/jobs/job-type.ts';

/** Puts a message into the inboxes of its recipients, with their notifications. */
export const deliverMessage = jobType(
  'deliver-message',
  z.object({ id: z.int(), userIds: z.array(z.int()) }),
);
