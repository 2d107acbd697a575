import { activity } from '../../../shared/activity/jobs.ts';
import { batchWorker } from '../../../shared/jobs/job-type.ts';
import { countActivity } from './aggregate.ts';

export const work = [batchWorker(activity, countActivity)];
