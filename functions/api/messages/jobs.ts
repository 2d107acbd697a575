import * as z from 'zod';
import { defineJob } from '../../../shared/jobs/job-type.ts';

/** Puts a message into the inboxes of its recipients, with their notifications. */
export const deliverMessage = defineJob(
  'deliver-message',
  z.object({ id: z.int(), userIds: z.array(z.int()) }),
);
