import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';

/** Delivers a message to the inboxes of its recipients, with notifications. */
export const deliverMessage = defineJob(
  'deliver-message',
  z.object({ id: z.int(), userIds: z.array(z.int()) }),
);
