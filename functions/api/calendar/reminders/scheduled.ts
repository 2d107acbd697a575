import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { sendReminders } from './reminders.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'event-reminders', run: sendReminders },
];
