import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { ScheduledEvent } from 'aws-lambda';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { handler } from '../../../functions/jobs/index.ts';
import { runInProcess } from '../../../infra/local/aws/host/in-process.ts';
import { type LocalExports, openExports } from '../../../infra/local/exports/exports.ts';
import { createEventSource, type EventSource } from '../../../infra/local/jobs/event-source.ts';
import { localUrls, useQueues } from '../../../infra/local/jobs/jobs.ts';
import { deadLettersName, queueNames } from '../../../infra/local/jobs/queues.ts';
import { lambdaContext } from '../../../infra/local/lambda-context.ts';
import { listShards } from '../../../shared/db/key.ts';
import { jobQueues, queueUrlSettings } from '../../../shared/jobs/job-queue.ts';
import { queueClient } from '../../../shared/jobs/sqs.ts';
import { unsentJobs } from '../../../shared/jobs/unsent.ts';
import { readDue } from '../../../shared/schedule/due-work.ts';
import { pass } from '../run/virtual-time.ts';
import { deliverAll } from './deliver-all.ts';
import { callDirectly } from './direct-calls.ts';
import { openTestQueues, type QueueServer, serveQueues, type TestQueues } from './queue-server.ts';

let queues: TestQueues;
let server: QueueServer;
let sources: readonly EventSource[];
let opened: readonly EventSource[];
let exports: LocalExports | undefined;

/** Returns what delivers the messages of queues at these URLs. */
const createSources = (urls: typeof localUrls): EventSource[] =>
  jobQueues.map((queue) => createEventSource(urls[queue], queues.engine.operations));

const use = (urls: typeof localUrls, itsSources: readonly EventSource[]): void => {
  useQueues(urls);
  sources = itsSources;
};

/** Creates empty queues of jobs for this test file. Only `runJobs` delivers jobs. */
export const useJobs = (): void => {
  beforeAll(async () => {
    queues = openTestQueues();
    exports = openExports();
    server = await serveQueues(queues.engine);
    process.env['AWS_ENDPOINT_URL_SQS'] = server.endpoint;
    const bySending = createSources(server.urls);
    const direct = createSources(localUrls);
    opened = [...bySending, ...direct];
    use(server.urls, bySending);
    callDirectly(() => {
      const disconnect = runInProcess(queueClient(), queues.engine.operations);
      use(localUrls, direct);
      return () => {
        disconnect();
        use(server.urls, bySending);
      };
    });
  });
  afterAll(async () => {
    await Promise.all(opened.map((source) => source.stop()));
    await server.close();
    await exports?.close();
    queues.close();
  });
};

/**
 * Runs all due jobs, including those they enqueue, and returns the number of deliveries. A failed job is due again
 * after the visibility timeout.
 */
export const runJobs = (): Promise<number> => deliverAll(sources);

/** Starts the scheduled run, as the schedule does every minute, and waits for the exports that it calls for. */
export const runMinute = async (): Promise<void> => {
  const id = randomUUID();
  const event = { id, source: 'aws.events', detail: {} } as ScheduledEvent;
  // Tests move the clock while it runs.
  const context = { ...lambdaContext(id, 0), getRemainingTimeInMillis: () => 60_000 };
  await handler(event, context);
  await exports?.settled();
};

const isAnyDue = async (shard: string): Promise<boolean> =>
  (await readDue(unsentJobs, shard)).length > 0;

/** Advances the clock by a minute, then runs the due jobs and the scheduled run. */
export const minuteLater = async (): Promise<void> => {
  pass(61_000);
  await runMinute();
  await runJobs();
  await runMinute();
};

/** Runs the schedule and the jobs, a second apart, until nothing is due. Expects that no job is left or dead. */
export const settleJobs = async (): Promise<void> => {
  do {
    pass(1_000);
    await runMinute();
    await runJobs();
  } while ((await Promise.all(listShards(unsentJobs.due).map(isAnyDue))).includes(true));
  expect([...(await queuedWork()), ...(await deadJobs())]).toEqual([]);
};

/** Returns the bodies of all queued messages: due, delayed and failed. */
export const queuedJobs = async (): Promise<string[]> =>
  Object.values(queueNames).flatMap((name) => queues.bodies(name));

/** Deletes all queued messages. */
export const purgeJobs = (): void => queues.purge();

/** Returns the bodies of all queued messages except activity. */
export const queuedWork = async (): Promise<string[]> =>
  [queueNames.mail, queueNames.work, queueNames.hooks].flatMap((name) => queues.bodies(name));

/** Returns the bodies of the dead letters. */
export const deadJobs = async (): Promise<string[]> => queues.bodies(deadLettersName);

/** Sends a message to the queue of work unchanged, for example a copy of an earlier one. */
export const sendBody = async (body: string): Promise<void> => {
  const client = new SQSClient({ endpoint: server.endpoint });
  await client.send(new SendMessageCommand({ QueueUrl: server.urls.work, MessageBody: body }));
  client.destroy();
};

/** Runs a function while the queues are unavailable. */
export const withoutQueue = async <Result>(act: () => Promise<Result>): Promise<Result> => {
  const nowhere = 'http://127.0.0.1:1/000000000000/jobs';
  const names = Object.values(queueUrlSettings);
  const urls = names.map((name) => process.env[name]);
  for (const name of names) process.env[name] = nowhere;
  // The client warns about the changed endpoint.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  try {
    return await act();
  } finally {
    warn.mockRestore();
    for (const [at, name] of names.entries()) process.env[name] = urls[at];
  }
};
