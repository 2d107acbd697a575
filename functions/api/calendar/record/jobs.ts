import * as z from 'zod';
import { defineEmail, defineJob } from '../../../../shared/jobs/job-type.ts';
import { Sender } from '../../../../shared/notifications/notification.ts';

const EventNotification = z.object({
  id: z.int(),
  title: z.string(),
  /** The event's version after the change. Identifies the change together with `by`. */
  version: z.int(),
  /** The start of the only occurrence that it is about: a time, or a date for an all-day event. */
  start: z.string().optional(),
  /** The acting user; absent if the service acted. */
  by: Sender.optional(),
  recipients: z.array(
    z.object({
      kind: z.enum([
        'invited',
        'changed',
        'cancelled',
        'uninvited',
        'accepted',
        'declined',
        'tentative',
      ]),
      userIds: z.array(z.int()),
    }),
  ),
});

/** A notification of several users about an event. */
export type EventNotification = z.output<typeof EventNotification>;
export type EventNotificationKind = EventNotification['recipients'][number]['kind'];

export const eventNotification = defineJob('event-notification', EventNotification);

const Reminder = z.object({
  /** The start of the occurrence: a time, or a date for an all-day event (ISO 8601). */
  start: z.string(),
  /** For a recurring event, the start according to the rule. */
  recurrenceId: z.string().optional(),
  /** Minutes before the start. */
  minutes: z.int(),
});

/** A reminder of one occurrence. */
export type ReminderInstance = Readonly<z.output<typeof Reminder>>;

const DueReminders = z.object({ id: z.int(), due: z.array(Reminder) });

/** The reminders of an event that are due. */
export type DueReminders = z.output<typeof DueReminders>;

/** Reminds the owner and attendees of an event, each once. */
export const eventReminder = defineJob('event-reminder', DueReminders);

const ReminderEmail = z.object({ id: z.int(), userId: z.int(), ...Reminder.shape });
export type ReminderEmail = z.output<typeof ReminderEmail>;

export const eventReminderEmail = defineEmail('event-reminder-email', ReminderEmail);
