import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { purgeTrash } from './trash.ts';

export const scheduled: readonly ScheduledWork[] = [{ name: 'trashed-documents', run: purgeTrash }];
