import * as z from 'zod';
import { countActivity } from '../activity/counting.ts';
import { Activity } from '../activity/happening.ts';
import { happenings } from '../calendar/happening.ts';
import { notifyReaders } from '../documents/notices.ts';
import { completeLater } from '../files/direct.ts';
import { deliver } from '../messages/delivery.ts';
import { endShare } from '../share/ending.ts';
import { notifyModerators } from '../share/notices.ts';
import { batchJob, job } from './job.ts';

/** One time that an event takes place. */
const reminding = {
  start: z.string(),
  recurrenceId: z.string().optional(),
  minutes: z.int(),
};

// Loaded with the first of their jobs, because most batches have none: the client of mail, rules of recurrence.
const recoveryMail = () => import('../auth/recovery-mail.ts');
const eventNotices = () => import('../calendar/notices.ts');
const reminderDelivery = () => import('../calendar/reminder-delivery.ts');
const belongings = () => import('../users/belongings.ts');

/** Every kind of job, by the name that its messages bear. To add one is to add a value here. */
export const kinds = {
  'reset-mail': job({
    data: z.object({ email: z.string() }),
    once: true,
    run: async ({ email }) => (await recoveryMail()).sendResetMail(email),
  }),
  'invitation-mail': job({
    data: z.object({ userId: z.int() }),
    once: true,
    run: async ({ userId }) => (await recoveryMail()).sendInvitation(userId),
  }),
  /** Deletes the content of a share that has ended. */
  'end-share': job({
    data: z.object({ id: z.string() }),
    run: ({ id }) => endShare(id),
  }),
  'document-shared': job({
    data: z.object({
      id: z.int(),
      userIds: z.array(z.int()),
      sharedBy: z.int(),
      sharedAt: z.iso.datetime(),
    }),
    run: (sharing) => notifyReaders(sharing),
  }),
  'event-told': job({
    data: z.object({
      id: z.int(),
      title: z.string(),
      version: z.int(),
      by: z.int().optional(),
      told: z.array(z.object({ what: z.enum(happenings), userIds: z.array(z.int()) })),
    }),
    run: async (telling) => (await eventNotices()).tell(telling),
  }),
  /** Reminds those who come to an event, once each. */
  'event-reminder': job({
    data: z.object({ id: z.int(), due: z.array(z.object(reminding)) }),
    run: async (reminders) => (await reminderDelivery()).deliverReminders(reminders),
  }),
  'event-reminder-mail': job({
    data: z.object({ id: z.int(), userId: z.int(), ...reminding }),
    once: true,
    run: async (reminder) => (await reminderDelivery()).sendReminderMail(reminder),
  }),
  'share-reported': job({
    data: z.object({ id: z.string() }),
    run: ({ id }) => notifyModerators(id),
  }),
  /** Puts a message into the inboxes of its recipients, with their notifications. */
  'deliver-message': job({
    data: z.object({ id: z.int(), userIds: z.array(z.int()) }),
    run: (sent) => deliver(sent),
  }),
  /** Goes on with an upload whose copy within S3 takes longer than a request waits. */
  'complete-upload': job({
    data: z.object({ id: z.int(), copyTo: z.string().optional() }),
    run: (upload) => completeLater(upload),
  }),
  /** A view of a share, a look at a page, a sign-in. */
  activity: batchJob({ data: Activity, runAll: (messages) => countActivity(messages) }),
  /** Brings what a user owns in line with what became of the user: suspended, active again, removed. */
  'settle-user': job({
    data: z.object({
      userId: z.int(),
      transferTo: z.int().optional(),
      sharesAfter: z.string().optional(),
    }),
    run: async (data) => (await belongings()).settleUser(data),
  }),
} as const;
