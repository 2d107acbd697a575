import { Message } from '../../../shared/jobs/job-type.ts';
import { saveToOutbox } from '../../../shared/jobs/queue.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { explainPort } from '../host/listen.ts';
import { StartError } from '../host/start-error.ts';
import { type QueueEngine, startQueueEngine } from './engine.ts';
import { createEventSource } from './event-source.ts';
import { ensureQueues, jobsQueueName } from './queues.ts';
import { startSchedule } from './schedule.ts';

/** The queue of jobs, and what does them. */
export interface LocalJobs {
  readonly endpoint: string;
  readonly queueUrl: string;
  /** Has jobs done, and what falls due every minute, from now on. */
  start(): void;
  /** Lets running jobs end; those that are left in an engine of its own are in the table then. */
  close(): Promise<void>;
}

const startEngine = async (port: number): Promise<QueueEngine> => {
  try {
    return await startQueueEngine(port);
  } catch (error) {
    throw explainPort(error, port, 'LOCAL_SQS_PORT');
  }
};

const queuesAt = async (endpoint: string): Promise<string> => {
  try {
    return await ensureQueues(endpoint);
  } catch (cause) {
    throw new StartError(
      `No queue can be had at ${endpoint}: see that SQS runs there and that you may use it.`,
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

/** Moves the engine's jobs to the table, because the engine holds them in memory: the next start sends them. */
const keepAll = async (engine: QueueEngine): Promise<void> => {
  for (const { body, dueAt } of await engine.messagesOf(jobsQueueName)) {
    const message = parseMessage(body);
    if (message) await saveToOutbox(message, Math.max(dueAt, Date.now()));
  }
};

/**
 * The queue of jobs at an endpoint of SQS, or without one in an engine of its own, on a port of 127.0.0.1.
 * @throws StartError when the port is taken or the endpoint has no queue for us
 */
export const openJobs = async (given: string | undefined, port: number): Promise<LocalJobs> => {
  const engine = given === undefined ? await startEngine(port) : undefined;
  const endpoint = given ?? engine?.endpoint ?? '';
  const queueUrl = await queuesAt(endpoint);
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
      // Before the start there may be no table, and there are no jobs.
      if (engine && stopSchedule) {
        await keepAll(engine).catch((error) =>
          getLogger().error('Jobs are lost', { failure: serializeError(error) }),
        );
      }
      await engine?.close();
    },
  };
};
