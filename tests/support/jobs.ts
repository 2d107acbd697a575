import { afterAll, beforeAll } from 'vitest';
import { type QueueEngine, startQueueEngine } from '../../infra/local/jobs/engine.ts';
import { createEventSource, type EventSource } from '../../infra/local/jobs/event-source.ts';
import { deadLettersName, ensureQueues, jobsQueueName } from '../../infra/local/jobs/queues.ts';

let engine: QueueEngine;
let source: EventSource;

/** Gives this test file a queue of jobs of its own, in memory and empty. Nothing is delivered but by `runJobs`. */
export const useJobs = (): void => {
  beforeAll(async () => {
    engine = await startQueueEngine();
    process.env['AWS_ENDPOINT_URL_SQS'] = engine.endpoint;
    process.env['JOBS_QUEUE_URL'] = await ensureQueues(engine.endpoint);
    source = createEventSource(process.env['JOBS_QUEUE_URL']);
  });
  afterAll(async () => {
    await source.stop();
    await engine.close();
  });
};

/**
 * Has every job done that is due, those too that others make. A job that fails is due again after the visibility
 * timeout. Answers how many deliveries there were.
 */
export const runJobs = async (): Promise<number> => {
  let deliveries = 0;
  for (;;) {
    const count = await source.deliver({ waitSeconds: 0 });
    if (count === 0) return deliveries;
    deliveries += count;
  }
};

const bodiesOf = async (queueName: string): Promise<string[]> =>
  (await engine.messagesOf(queueName)).map(({ body }) => body);

/** The bodies of all messages that are in the queue: due, delayed, and delivered in vain. */
export const queuedJobs = (): Promise<string[]> => bodiesOf(jobsQueueName);

/** The bodies of the dead letters. */
export const deadJobs = (): Promise<string[]> => bodiesOf(deadLettersName);
