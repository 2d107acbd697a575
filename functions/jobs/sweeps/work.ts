import { createWorker } from '../../../shared/jobs/job-type.ts';
import { sweepJob } from './jobs.ts';

// Loads all groups' scheduled work with the first job.
export const work = [
  createWorker(sweepJob, async (sweep) => (await import('./backlog.ts')).sweepBacklog(sweep)),
];
