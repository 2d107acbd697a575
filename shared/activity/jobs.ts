import * as z from 'zod';
import { defineJob } from '../jobs/job-type.ts';
import { webhookEvent } from '../webhooks/jobs.ts';
import { counted } from './days.ts';

/** A view of a share, a page view or a sign-in. */
export const activity = defineJob(
  'activity',
  z.object({
    at: z.iso.datetime(),
    visitor: z.string().min(1).max(64),
    counts: z.array(z.enum(counted)).min(1).max(counted.length),
    share: z.string().optional(),
    claim: z.string().optional(),
    event: webhookEvent.data.optional(),
  }),
  { queue: 'activity' },
);
