import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { unsentJobs } from './unsent.ts';

export const scheduled: readonly ScheduledWork[] = [unsentJobs];
