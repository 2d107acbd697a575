import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { giveUpUploads } from './expired-uploads.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'unfinished-uploads', run: giveUpUploads },
];
