import { worker } from '../../../shared/jobs/job-type.ts';
import { eventReminder, eventReminderMail, eventTold } from './record/jobs.ts';

// Loaded with the first of their jobs, because most batches have none: rules of recurrence, the client of mail.
const reminderDelivery = () => import('./reminders/delivery.ts');

export const work = [
  worker(eventTold, async (telling) => (await import('./events/notify.ts')).tell(telling)),
  worker(eventReminder, async (due) => (await reminderDelivery()).deliverReminders(due)),
  worker(eventReminderMail, async (due) => (await reminderDelivery()).sendReminderMail(due)),
];
