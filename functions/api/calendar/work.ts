import { createWorker } from '../../../shared/jobs/job-type.ts';
import { eventNotification, eventReminder, eventReminderEmail } from './record/jobs.ts';

// Loaded on first use: it needs the recurrence rules and the email client, and most batches have no such job.
const reminderDelivery = () => import('./reminders/delivery.ts');

export const work = [
  createWorker(eventNotification, async (notification) =>
    (await import('./events/notify.ts')).notifyAttendees(notification),
  ),
  createWorker(eventReminder, async (due) => (await reminderDelivery()).deliverReminders(due)),
  createWorker(eventReminderEmail, async (due) =>
    (await reminderDelivery()).sendReminderEmail(due),
  ),
];
