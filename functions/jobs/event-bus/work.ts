import { createBatchWorker } from '../../../shared/jobs/job-type.ts';
import { busEvents } from '../../../shared/webhooks/jobs.ts';

// Few deployments have the bus: its client is loaded with the first event.
export const work = [
  createBatchWorker(busEvents, async (messages) =>
    (await import('./put-events.ts')).putAll(messages),
  ),
];
