import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { trashed } from './trash.ts';

export const scheduled: readonly ScheduledWork[] = [trashed];
