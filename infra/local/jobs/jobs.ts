import { join } from 'node:path';
import { queueClient } from '../../../shared/jobs/sqs.ts';
import { runInProcess } from '../host/in-process.ts';
import { StartError } from '../host/start-error.ts';
import { createEventSource } from './event-source.ts';
import { localQueueUrl, openQueues, type QueueEngine } from './queue.ts';
import { ensureQueues, jobsQueueName, queueSettings } from './queues.ts';
import { startSchedule } from './schedule.ts';

/** The consumer of the job queue. */
export interface LocalJobs {
  /** Starts to process jobs and scheduled runs. */
  start(): void;
  /** Waits for running jobs. Queued ones run after the next start. */
  close(): Promise<void>;
}

/** Opens local queues in a file, or `:memory:`, and sends this process's jobs to them. */
export const openLocalQueues = (path: string): QueueEngine => {
  const engine = openQueues(path, queueSettings);
  runInProcess(queueClient(), engine.operations);
  process.env['JOBS_QUEUE_URL'] = localQueueUrl(jobsQueueName);
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

const createQueues = async (endpoint: string): Promise<string> => {
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
 * Opens the job queue at an endpoint of SQS, or else in a file of the data folder, and sets JOBS_QUEUE_URL.
 * @throws StartError when SQS is unavailable or the file unusable
 */
export const openJobs = async (given: string | undefined, folder: string): Promise<LocalJobs> => {
  const engine = given === undefined ? openEngine(folder) : undefined;
  if (given !== undefined) process.env['JOBS_QUEUE_URL'] = await createQueues(given);
  const source = createEventSource(process.env['JOBS_QUEUE_URL'] ?? '', engine?.operations);
  let stopSchedule: (() => Promise<void>) | undefined;
  return {
    start() {
      source.start();
      stopSchedule = startSchedule();
    },
    async close() {
      await Promise.all([source.stop(), stopSchedule?.()]);
      engine?.close();
    },
  };
};
