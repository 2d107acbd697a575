import { worker } from '../../../shared/jobs/job-type.ts';
import { endShare } from './ending/expiry.ts';
import { notifyModerators } from './ending/notify.ts';
import { shareEnd, shareReported } from './record/jobs.ts';

export const work = [
  worker(shareEnd, ({ id }) => endShare(id)),
  worker(shareReported, ({ id }) => notifyModerators(id)),
];
