import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { conditionalPut } from '../db/conditional-write.ts';
import { withDeadline } from '../runtime/deadline.ts';
import type { DeferredError } from '../runtime/deferred.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../runtime/telemetry.ts';
import type { JobQueue } from './job-queue.ts';
import type { JobType, Message } from './job-type.ts';
import { outboxMessage } from './outbox.ts';

/**
 * Maximum delay of an SQS message.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
 */
const maxDelaySeconds = 900;

/** Timeout in ms for all attempts to store a message, because the caller waits. */
const keepTimeoutMs = 2_000;

/**
 * Maximum number of messages in a batch.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html
 */
export const maxBatchSize = 10;

let loading: Promise<typeof import('./sqs.ts')> | undefined;

/** Loaded with the first message, because most requests send none, and once, because each import looks the module up. */
const sqs = () => {
  loading ??= import('./sqs.ts');
  return loading;
};

const send = async (
  queue: JobQueue,
  message: Message,
  delaySeconds: number,
  abortSignal?: AbortSignal,
): Promise<void> => {
  const { sendMessage } = await sqs();
  await sendMessage(queue, JSON.stringify(message), delaySeconds, abortSignal);
};

/**
 * Sends up to ten messages to a queue and returns the ids of those it accepted.
 * @throws when the queue accepts none
 */
export const sendBatch = async (
  queue: JobQueue,
  messages: readonly Message[],
): Promise<Set<string>> => {
  const { sendMessages } = await sqs();
  const taken = await sendMessages(
    queue,
    messages.map((message) => JSON.stringify(message)),
  );
  return new Set(taken.flatMap((at) => messages[at]?.id ?? []));
};

/**
 * Stores a message in the table, from where it is sent once it is due (ms since 1970) and the queue accepts messages.
 * @throws what the table throws
 */
const saveToOutbox = async (queue: JobQueue, message: Message, dueAt: number): Promise<void> => {
  await conditionalPut(
    {
      Item: outboxMessage(queue, message, dueAt),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    { timeoutMs: keepTimeoutMs },
  );
};

/** How long a job may be deferred: as long as a message stays in its queue. */
const maxDeferralMs = 4 * 86_400_000;

/**
 * Sends a message that is being processed again, with the same id, so that deferring doesn't count as a failed delivery.
 * @throws when the queue doesn't accept it; the reason, when it has been deferred for four days
 */
export const defer = async (
  queue: JobQueue,
  { id, kind, data, deferredSince }: Message,
  reason: DeferredError,
): Promise<void> => {
  const since = deferredSince ?? new Date().toISOString();
  if (Date.parse(since) + maxDeferralMs <= Date.now()) throw reason;
  await send(queue, { id, kind, data, deferredSince: since }, reason.delaySeconds);
};

interface Delay {
  /** An integer up to 900. */
  readonly delaySeconds?: number;
}

/**
 * Sends a job to its queue.
 * @throws when the queue does not accept it
 */
export const sendJob = <Schema extends z.ZodType>(
  { name: kind, queue }: JobType<Schema>,
  data: z.input<Schema>,
): Promise<void> => send(queue, { id: randomUUID(), kind, data }, 0);

/**
 * Enqueues a job, which runs at least once. If the queue accepts nothing, the job waits in the table.
 * @throws what the table throws if neither accepts it
 */
export const enqueueOrThrow = async <Schema extends z.ZodType>(
  { name: kind, queue }: JobType<Schema>,
  data: z.input<Schema>,
  { delaySeconds = 0 }: Delay = {},
): Promise<void> => {
  const message: Message = { id: randomUUID(), kind, data };
  const delay = Math.min(delaySeconds, maxDelaySeconds);
  try {
    await send(queue, message, delay);
  } catch (cause) {
    getLogger().warn('Job deferred', { type: kind, error: serializeError(cause) });
    getMetrics().addMetric('JobsDeferred', 'Count', 1);
    await saveToOutbox(queue, message, Date.now() + delay * 1_000);
  }
};

/**
 * Enqueues a job without failing the request. A job that neither queue nor table accepts is lost, logged and counted.
 */
export const enqueue = async <Schema extends z.ZodType>(
  type: JobType<Schema>,
  data: z.input<Schema>,
  delay?: Delay,
): Promise<void> => {
  try {
    await enqueueOrThrow(type, data, delay);
  } catch (error) {
    getLogger().error('Job lost', { type: type.name, error: serializeError(error) });
    getMetrics().addMetric('JobsLost', 'Count', 1);
  }
};

const briefMs = 200;

/** The first message also waits for the client to load and to connect. */
const connectMs = 1_000;

let isConnected = false;

/**
 * Enqueues a job that may be lost, because a request must not wait for it (decisions.md#jobs). Waits up to 200 ms, the first
 * time in a process up to 1.2 s; a job not accepted by then is dropped and counted.
 */
export const enqueueBestEffort = async <Schema extends z.ZodType>(
  { name: kind, queue }: JobType<Schema>,
  data: z.input<Schema>,
): Promise<void> => {
  const message: Message = { id: randomUUID(), kind, data };
  const waitMs = isConnected ? briefMs : connectMs + briefMs;
  try {
    await withDeadline(waitMs, (signal) => send(queue, message, 0, signal));
  } catch {
    getMetrics().addMetric('JobsDropped', 'Count', 1);
  } finally {
    // Also after a failure: a queue that is down must not delay every request.
    isConnected = true;
  }
};
