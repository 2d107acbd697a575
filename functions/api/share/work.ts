import { createWorker } from '../../../shared/jobs/job-type.ts';
import { purgeEndedShare } from './ending/expiry.ts';
import { notifyModerators } from './ending/notify.ts';
import { shareEnd, shareReported } from './record/jobs.ts';

export const work = [
  createWorker(shareEnd, ({ id }) => purgeEndedShare(id)),
  createWorker(shareReported, ({ id }) => notifyModerators(id)),
];
