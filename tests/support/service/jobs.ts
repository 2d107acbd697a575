import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, vi } from 'vitest';
import { handler } from '../../../functions/jobs/index.ts';
import { lambdaContext } from '../../../infra/local/host/lambda-context.ts';
import { createEventSource, type EventSource } from '../../../infra/local/jobs/event-source.ts';
import { deadLettersName, jobsQueueName } from '../../../infra/local/jobs/queues.ts';
import { pass } from '../run/virtual-time.ts';
import { openTestQueues, type QueueServer, serveQueues, type TestQueues } from './queue-server.ts';

let queues: TestQueues;
let server: QueueServer;
let source: EventSource;

/** Creates an empty job queue for this test file. Only `runJobs` delivers jobs. */
export const useJobs = (): void => {
  beforeAll(async () => {
    queues = openTestQueues();
    server = await serveQueues(queues.engine);
    process.env['AWS_ENDPOINT_URL_SQS'] = server.endpoint;
    process.env['JOBS_QUEUE_URL'] = server.queueUrl;
    source = createEventSource(server.queueUrl);
  });
  afterAll(async () => {
    await source.stop();
    await server.close();
    queues.close();
  });
};

/**
 * Runs all due jobs, including those they enqueue, and returns the number of deliveries. A failed job is due again
 * after the visibility timeout.
 */
export const runJobs = async (): Promise<number> => {
  let deliveries = 0;
  for (;;) {
    const count = await source.deliver({ waitSeconds: 0 });
    if (count === 0) return deliveries;
    deliveries += count;
  }
};

/** Starts the scheduled run, as the schedule does every minute. */
export const runMinute = async (): Promise<void> => {
  const id = randomUUID();
  const event = { id, source: 'aws.events', detail: {} } as ScheduledEvent;
  await handler(event, lambdaContext(id, Date.now() + 60_000));
};

/** Advances the clock by a minute, then runs the due jobs and the scheduled run. */
export const minuteLater = async (): Promise<void> => {
  pass(61_000);
  await runMinute();
  await runJobs();
  await runMinute();
};

/** Returns the bodies of all queued messages: due, delayed and failed. */
export const queuedJobs = async (): Promise<string[]> => queues.bodies(jobsQueueName);

/** Deletes all queued messages. */
export const purgeJobs = (): void => queues.purge();

/** Returns the bodies of all queued messages except activity. */
export const queuedWork = async (): Promise<string[]> =>
  (await queuedJobs()).filter((body) => !body.includes('"kind":"activity"'));

/** Returns the bodies of the dead letters. */
export const deadJobs = async (): Promise<string[]> => queues.bodies(deadLettersName);

/** Sends a message to the queue unchanged, for example a copy of an earlier one. */
export const sendBody = async (body: string): Promise<void> => {
  const client = new SQSClient({ endpoint: server.endpoint });
  await client.send(
    new SendMessageCommand({ QueueUrl: process.env['JOBS_QUEUE_URL'], MessageBody: body }),
  );
  client.destroy();
};

/** Runs a function while the queue is unavailable. */
export const withoutQueue = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  const url = process.env['JOBS_QUEUE_URL'];
  process.env['JOBS_QUEUE_URL'] = 'http://127.0.0.1:1/000000000000/jobs';
  // The client warns about the changed endpoint.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    return await act();
  } finally {
    warn.mockRestore();
    process.env['JOBS_QUEUE_URL'] = url;
  }
};
