import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { deleteDoomed } from './scheduled-deletions.ts';

export const scheduled: readonly ScheduledWork[] = [{ name: 'doomed-objects', run: deleteDoomed }];
