import type { ScheduledWork } from '../../shared/scheduled-work.ts';
import { giveUpUploads } from './unfinished.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'unfinished-uploads', run: giveUpUploads },
];
