import { createEventSource } from '../../infra/local/jobs/event-source.ts';
import { deployment } from './deployment.ts';

/** Runs due jobs as Lambda does, polling with the function's permissions. Returns their number. */
export const runJobs = async (): Promise<number> => {
  const source = createEventSource(deployment().jobsQueueUrl);
  let done = 0;
  for (;;) {
    const count = await source.deliver({ waitSeconds: 0 });
    if (count === 0) break;
    done += count;
  }
  await source.stop();
  return done;
};
