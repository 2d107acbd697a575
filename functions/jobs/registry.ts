import type { BatchWorker, Worker } from '../../shared/jobs/job-type.ts';
import { work as calendar } from '../api/calendar/work.ts';
import { work as documents } from '../api/documents/work.ts';
import { work as files } from '../api/files/work.ts';
import { work as messages } from '../api/messages/work.ts';
import { work as notifications } from '../api/notifications/work.ts';
import { work as share } from '../api/share/work.ts';
import { work as users } from '../api/users/work.ts';
import { work as webhooks } from '../api/webhooks/work.ts';
import { work as activity } from './activity/work.ts';
import { work as eventBus } from './event-bus/work.ts';
import { work as retention } from './retention/work.ts';
import { work as sweeps } from './sweeps/work.ts';

/** The worker of each type of job. Groups declare it in `work.ts`. */
export const workers: readonly (Worker | BatchWorker)[] = [
  ...activity,
  ...calendar,
  ...documents,
  ...eventBus,
  ...files,
  ...messages,
  ...notifications,
  ...retention,
  ...share,
  ...sweeps,
  ...users,
  ...webhooks,
];
