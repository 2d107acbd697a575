import { createWorker } from '../../../shared/jobs/job-type.ts';
import { retentionJob } from './jobs.ts';

// Loads what the walks do with the first job.
export const work = [
  createWorker(retentionJob, async ({ walk }) => (await import('./retention.ts')).goOn(walk)),
];
