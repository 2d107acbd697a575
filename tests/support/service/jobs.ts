import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, vi } from 'vitest';
import { handler } from '../../../functions/jobs/index.ts';
import { lambdaContext } from '../../../infra/local/host/lambda-context.ts';
import { type QueueEngine, startQueueEngine } from '../../../infra/local/jobs/engine.ts';
import { createEventSource, type EventSource } from '../../../infra/local/jobs/event-source.ts';
import { deadLettersName, ensureQueues, jobsQueueName } from '../../../infra/local/jobs/queues.ts';
import { pass } from '../run/virtual-time.ts';

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

/** Has the minute's work done, as the schedule does. */
export const runMinute = async (): Promise<void> => {
  const id = randomUUID();
  const event = { id, source: 'aws.events', detail: {} } as ScheduledEvent;
  await handler(event, lambdaContext(id, Date.now() + 60_000));
};

/** Lets a minute pass, and runs what is due by then and what that leaves for the schedule. */
export const minuteLater = async (): Promise<void> => {
  pass(61_000);
  await runMinute();
  await runJobs();
  await runMinute();
};

const bodiesOf = async (queueName: string): Promise<string[]> =>
  (await engine.listMessages(queueName)).map(({ body }) => body);

/** The bodies of all messages that are in the queue: due, delayed, and delivered in vain. */
export const queuedJobs = (): Promise<string[]> => bodiesOf(jobsQueueName);

/** The same without those that only count what happens. */
export const queuedWork = async (): Promise<string[]> =>
  (await queuedJobs()).filter((body) => !body.includes('"kind":"activity"'));

/** The bodies of the dead letters. */
export const deadJobs = (): Promise<string[]> => bodiesOf(deadLettersName);

/** Puts a message into the queue as it is, for instance one that was there before. */
export const sendBody = async (body: string): Promise<void> => {
  const client = new SQSClient({ endpoint: engine.endpoint });
  await client.send(
    new SendMessageCommand({ QueueUrl: process.env['JOBS_QUEUE_URL'], MessageBody: body }),
  );
  client.destroy();
};

/** Does something while the queue can't be reached. */
export const withoutQueue = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  const url = process.env['JOBS_QUEUE_URL'];
  process.env['JOBS_QUEUE_URL'] = 'http://127.0.0.1:1/000000000000/jobs';
  // The client says that this is not the endpoint it began with.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    return await act();
  } finally {
    warn.mockRestore();
    process.env['JOBS_QUEUE_URL'] = url;
  }
};
