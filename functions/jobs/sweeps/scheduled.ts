import { scheduled as exports } from '../../../shared/exports/scheduled.ts';
import { scheduled as jobs } from '../../../shared/jobs/scheduled.ts';
import type { ScheduledWork } from '../../../shared/schedule/scheduled-work.ts';
import { scheduled as storage } from '../../../shared/storage/scheduled.ts';
import { scheduled as calendar } from '../../api/calendar/reminders/scheduled.ts';
import { scheduled as documents } from '../../api/documents/scheduled.ts';
import { scheduled as files } from '../../api/files/scheduled.ts';
import { scheduled as share } from '../../api/share/ending/scheduled.ts';
import { scheduled as users } from '../../api/users/scheduled.ts';

/** All scheduled work. Groups declare it in `scheduled.ts`. */
export const scheduledWork: readonly ScheduledWork[] = [
  ...jobs,
  ...storage,
  ...exports,
  ...calendar,
  ...documents,
  ...files,
  ...share,
  ...users,
];
