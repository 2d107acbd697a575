import * as z from 'zod';
import { defineEmail } from '../jobs/job-type.ts';
import { Sender } from './notification.ts';

/** Emails a notification to a user who wants emails about its topic. */
export const notificationEmail = defineEmail(
  'notification-email',
  z.object({
    userId: z.int(),
    topic: z.string(),
    title: z.string(),
    content: z.string(),
    permission: z.string().optional(),
    link: z.string().optional(),
    sender: Sender.optional(),
  }),
);
