import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { expireUploads } from './expired-uploads.ts';

export const scheduled: readonly ScheduledWork[] = [
  { name: 'unfinished-uploads', run: expireUploads },
];
