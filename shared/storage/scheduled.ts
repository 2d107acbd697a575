import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { runScheduledDeletions } from './scheduled-deletions.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'scheduled-deletions', run: runScheduledDeletions },
];
