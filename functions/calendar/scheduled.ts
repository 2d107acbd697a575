import type { ScheduledWork } from '../../shared/scheduled-work.ts';
import { sendReminders } from './reminders.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'event-reminders', run: sendReminders },
];
