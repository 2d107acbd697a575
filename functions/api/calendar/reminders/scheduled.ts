import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { eventReminders } from './reminders.ts';

export const scheduled: readonly ScheduledWork[] = [eventReminders];
