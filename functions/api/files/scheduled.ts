import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { trashed } from './trash.ts';
import { unfinishedUploads } from './uploads/expired-uploads.ts';

export const scheduled: readonly ScheduledWork[] = [unfinishedUploads, trashed];
