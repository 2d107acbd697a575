import type { ScheduledWork } from '../schedule/scheduled-work.ts';
import { sendUnsent } from './unsent.ts';

export const scheduled: readonly ScheduledWork[] = [{ name: 'unsent-jobs', run: sendUnsent }];
