import { createWorker } from '../../../shared/jobs/job-type.ts';
import { purgeEndedShare } from './ending/expiry.ts';
import { notifyModerators, notifyOfFirstView } from './ending/notify.ts';
import { purgeShareJob, shareOpenedJob, shareReportedJob } from './record/jobs.ts';

export const work = [
  createWorker(purgeShareJob, ({ id }) => purgeEndedShare(id)),
  createWorker(shareOpenedJob, ({ id }) => notifyOfFirstView(id)),
  createWorker(shareReportedJob, ({ id }) => notifyModerators(id)),
];
