import { createEventSource } from '../../../infra/local/jobs/event-source.ts';
import { jobQueues } from '../../../shared/jobs/job-queue.ts';
import { deliverAll } from '../../support/service/deliver-all.ts';
import { deployment } from './deployment.ts';

/** Runs due jobs as Lambda does, polling with the function's permissions. Returns their number. */
export const runJobs = async (): Promise<number> => {
  const sources = jobQueues.map((queue) => createEventSource(deployment().queueUrls[queue]));
  const done = await deliverAll(sources);
  await Promise.all(sources.map((source) => source.stop()));
  return done;
};
