import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { unfinishedUploads } from './expired-uploads.ts';

export const scheduled: readonly ScheduledWork[] = [unfinishedUploads];
