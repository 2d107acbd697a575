import { worker } from '../../shared/jobs/job-type.ts';
import { endShare } from './ending.ts';
import { shareEnd, shareReported } from './jobs.ts';
import { notifyModerators } from './notices.ts';

export const work = [
  worker(shareEnd, ({ id }) => endShare(id)),
  worker(shareReported, ({ id }) => notifyModerators(id)),
];
