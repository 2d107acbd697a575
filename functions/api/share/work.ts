import { createWorker } from '../../../shared/jobs/job-type.ts';
import { purgeEndedShare } from './ending/expiry.ts';
import { notifyModerators } from './ending/notify.ts';
import { purgeShareJob, shareReportedJob } from './record/jobs.ts';

export const work = [
  createWorker(purgeShareJob, ({ id }) => purgeEndedShare(id)),
  createWorker(shareReportedJob, ({ id }) => notifyModerators(id)),
];
