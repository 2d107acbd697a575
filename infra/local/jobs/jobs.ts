import { join } from 'node:path';
import { type JobQueue, jobQueues, queueUrlSettings } from '../../../shared/jobs/job-queue.ts';
import { queueClient } from '../../../shared/jobs/sqs.ts';
import { runInProcess } from '../aws/host/in-process.ts';
import { StartError } from '../aws/host/start-error.ts';
import { localQueueUrl, openQueues, type QueueEngine } from '../aws/queue/queue.ts';
import { createEventSource } from './event-source.ts';
import { ensureQueues, queueNames, queueSettings } from './queues.ts';
import { runSchedule, startSchedule } from './schedule.ts';

/** The consumer of the queues of jobs. */
export interface LocalJobs {
  /** Starts to process jobs and scheduled runs. */
  start(): void;
  /** Processes the jobs that are queued, and those that they queue; for the time before `start`. */
  deliver(): Promise<void>;
  /** Makes one scheduled run; for the time before `start`. */
  runSchedule(): Promise<void>;
  /** Waits for running jobs. Queued ones run after the next start. */
  close(): Promise<void>;
}

/** A job that queues itself again and again ends here. */
const maxRounds = 1_000;

/** Sets the URLs of the queues for this process. */
export const useQueues = (urls: Readonly<Record<JobQueue, string>>): void => {
  for (const queue of jobQueues) process.env[queueUrlSettings[queue]] = urls[queue];
};

/** The URLs of the local queues. */
export const localUrls: Readonly<Record<JobQueue, string>> = {
  mail: localQueueUrl(queueNames.mail),
  hooks: localQueueUrl(queueNames.hooks),
  activity: localQueueUrl(queueNames.activity),
  work: localQueueUrl(queueNames.work),
};

/** Opens local queues in a file, or `:memory:`, and sends this process's jobs to them. */
export const openLocalQueues = (path: string): QueueEngine => {
  const engine = openQueues(path, queueSettings);
  runInProcess(queueClient(), engine.operations);
  useQueues(localUrls);
  return engine;
};

const openEngine = (folder: string): QueueEngine => {
  try {
    return openLocalQueues(join(folder, 'jobs.sqlite'));
  } catch (cause) {
    throw new StartError(
      `Can’t open the data in ${folder}. Restore a backup, or set DATA_DIR to another folder.`,
      { cause },
    );
  }
};

const createQueues = async (endpoint: string): Promise<Record<JobQueue, string>> => {
  try {
    return await ensureQueues(endpoint);
  } catch (cause) {
    throw new StartError(
      `Can’t reach SQS at ${endpoint}. Check that it is running and your permissions.`,
      { cause },
    );
  }
};

/**
 * Opens the queues of jobs at an endpoint of SQS, or else in a file of the data folder, and sets their URLs.
 * @throws StartError when SQS is unavailable or the file unusable
 */
export const openJobs = async (given: string | undefined, folder: string): Promise<LocalJobs> => {
  const engine = given === undefined ? openEngine(folder) : undefined;
  const urls = given === undefined ? localUrls : await createQueues(given);
  useQueues(urls);
  const sources = jobQueues.map((queue) => createEventSource(urls[queue], engine?.operations));
  let stopSchedule: (() => Promise<void>) | undefined;
  const deliverSome = async (): Promise<number> => {
    const counts = await Promise.all(sources.map((source) => source.deliver({ waitSeconds: 0 })));
    return Math.max(...counts);
  };
  return {
    deliver: async () => {
      for (let round = 0; round < maxRounds && (await deliverSome()) > 0; round++);
    },
    runSchedule,
    start() {
      for (const source of sources) source.start();
      stopSchedule = startSchedule();
    },
    async close() {
      await Promise.all([...sources.map((source) => source.stop()), stopSchedule?.()]);
      engine?.close();
    },
  };
};
