import * as z from 'zod';
import { defineJob } from '../../../../shared/jobs/job-type.ts';
import { eventNotificationKinds } from './notification-kinds.ts';

/** A reminder of one occurrence. */
const reminder = {
  start: z.string(),
  recurrenceId: z.string().optional(),
  minutes: z.int(),
};

export const eventNotification = defineJob(
  'event-notification',
  z.object({
    id: z.int(),
    title: z.string(),
    version: z.int(),
    by: z.int().optional(),
    recipients: z.array(
      z.object({ kind: z.enum(eventNotificationKinds), userIds: z.array(z.int()) }),
    ),
  }),
);

/** Reminds the owner and attendees of an event, each once. */
export const eventReminder = defineJob(
  'event-reminder',
  z.object({ id: z.int(), due: z.array(z.object(reminder)) }),
);

export const eventReminderEmail = defineJob(
  'event-reminder-email',
  z.object({ id: z.int(), userId: z.int(), ...reminder }),
  { once: true },
);
