import { createEventSource } from '../../infra/local/jobs/event-source.ts';
import { deployment } from './deployment.ts';

/** Has the jobs done that are due, as Lambda would: it polls in the name of the function. Answers how many there were. */
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
