import { batchWorker } from '../jobs/job.ts';
import { countActivity } from './counting.ts';
import { activity } from './jobs.ts';

export const work = [batchWorker(activity, countActivity)];
