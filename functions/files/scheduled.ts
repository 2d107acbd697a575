import type { ScheduledWork } from '../../shared/schedule/scheduled-work.ts';
import { giveUpUploads } from './unfinished.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'unfinished-uploads', run: giveUpUploads },
];
