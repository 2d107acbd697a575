import { Message } from '../../../shared/jobs/job-type.ts';
import { saveToOutbox } from '../../../shared/jobs/queue.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { toPortError } from '../host/listen.ts';
import { StartError } from '../host/start-error.ts';
import { type QueueEngine, startQueueEngine } from './engine.ts';
import { createEventSource } from './event-source.ts';
import { ensureQueues, jobsQueueName } from './queues.ts';
import { startSchedule } from './schedule.ts';

/** The job queue and its consumer. */
export interface LocalJobs {
  readonly endpoint: string;
  readonly queueUrl: string;
  /** Starts to process jobs and scheduled runs. */
  start(): void;
  /** Waits for running jobs, and saves the queued jobs of a local engine to the table. */
  close(): Promise<void>;
}

const startEngine = async (port: number): Promise<QueueEngine> => {
  try {
    return await startQueueEngine(port);
  } catch (error) {
    throw toPortError(error, port, 'LOCAL_SQS_PORT');
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

const parseMessage = (body: string): Message | undefined => {
  try {
    return Message.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
};

/** Saves the engine's jobs, which are only in memory, to the table. The next start sends them. */
const saveJobs = async (engine: QueueEngine): Promise<void> => {
  for (const { body, dueAt } of await engine.listMessages(jobsQueueName)) {
    const message = parseMessage(body);
    if (message) await saveToOutbox(message, Math.max(dueAt, Date.now()));
  }
};

/**
 * Opens the job queue at an endpoint of SQS, or else starts a local engine on a port of 127.0.0.1.
 * @throws StartError when the port is in use or SQS is unavailable
 */
export const openJobs = async (given: string | undefined, port: number): Promise<LocalJobs> => {
  const engine = given === undefined ? await startEngine(port) : undefined;
  const endpoint = given ?? engine?.endpoint ?? '';
  const queueUrl = await createQueues(endpoint);
  const source = createEventSource(queueUrl);
  let stopSchedule: (() => Promise<void>) | undefined;
  return {
    endpoint,
    queueUrl,
    start() {
      source.start();
      stopSchedule = startSchedule();
    },
    async close() {
      await Promise.all([source.stop(), stopSchedule?.()]);
      // Before start() there are no jobs, and maybe no table.
      if (engine && stopSchedule) {
        await saveJobs(engine).catch((error) =>
          getLogger().error('Jobs lost', { error: serializeError(error) }),
        );
      }
      await engine?.close();
    },
  };
};
