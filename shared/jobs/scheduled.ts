import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { sendOutbox } from './unsent.ts';

export const scheduled: readonly ScheduledWork[] = [{ name: 'unsent-jobs', run: sendOutbox }];
