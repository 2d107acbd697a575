import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';
import { happenings } from './notification-kinds.ts';

/** One time that an event takes place. */
const reminding = {
  start: z.string(),
  recurrenceId: z.string().optional(),
  minutes: z.int(),
};

export const eventTold = defineJob(
  'event-notification',
  z.object({
    id: z.int(),
    title: z.string(),
    version: z.int(),
    by: z.int().optional(),
    told: z.array(z.object({ what: z.enum(happenings), userIds: z.array(z.int()) })),
  }),
);

/** Reminds those who come to an event, once each. */
export const eventReminder = defineJob(
  'event-reminder',
  z.object({ id: z.int(), due: z.array(z.object(reminding)) }),
);

export const eventReminderMail = defineJob(
  'event-reminder-email',
  z.object({ id: z.int(), userId: z.int(), ...reminding }),
  { once: true },
);
