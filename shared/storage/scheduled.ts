import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { scheduledDeletions } from './scheduled-deletions.ts';

export const scheduled: readonly ScheduledWork[] = [scheduledDeletions];
