import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { trashedDocuments } from './trash.ts';

export const scheduled: readonly ScheduledWork[] = [trashedDocuments];
