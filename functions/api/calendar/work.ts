import { createWorker } from '../../../shared/jobs/job-type.ts';
import { eventReminder, eventReminderMail, eventTold } from './record/jobs.ts';

// Loaded with the first of their jobs, because most batches have none: rules of recurrence, the client of mail.
const reminderDelivery = () => import('./reminders/delivery.ts');

export const work = [
  createWorker(eventTold, async (telling) =>
    (await import('./events/notify.ts')).notifyAttendees(telling),
  ),
  createWorker(eventReminder, async (due) => (await reminderDelivery()).deliverReminders(due)),
  createWorker(eventReminderMail, async (due) => (await reminderDelivery()).sendReminderMail(due)),
];
