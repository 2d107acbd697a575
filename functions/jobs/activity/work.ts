import { activity } from '../../../shared/activity/jobs.ts';
import { createBatchWorker } from '../../../shared/jobs/job-type.ts';
import { aggregateActivity } from './aggregate.ts';

export const work = [createBatchWorker(activity, aggregateActivity)];
