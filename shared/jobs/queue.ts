import { randomUUID } from 'node:crypto';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type * as z from 'zod';
import { conditionalPut } from '../db/conditional-write.ts';
import { withDeadline } from '../runtime/deadline.ts';
import { serializeError } from '../runtime/error-mapping.ts';
import { getLogger, getMetrics } from '../runtime/telemetry.ts';
import type { JobType, Message } from './job-type.ts';
import { outboxMessage } from './outbox.ts';

/** SQS delays a message by so many seconds at most. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const maxDelaySeconds = 900;

/** A caller waits for this: all tries to keep a message together, in ms. */
const keepTimeoutMs = 2_000;

/** How many messages one request can send. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessageBatch.html */
export const maxBatchSize = 10;

/** Loaded with the first message: most requests send none. */
const queue = () => import('./sqs.ts');

const send = async (
  message: Message,
  delaySeconds: number,
  abortSignal?: AbortSignal,
): Promise<void> => {
  const { sendMessage } = await queue();
  await sendMessage(JSON.stringify(message), delaySeconds, abortSignal);
};

/**
 * Puts up to ten messages into the queue at once; answers the ids of those that it took.
 * @throws when the queue takes none
 */
export const sendBatch = async (messages: readonly Message[]): Promise<Set<string>> => {
  const { sendMessages } = await queue();
  const taken = await sendMessages(messages.map((message) => JSON.stringify(message)));
  return new Set(taken.flatMap((at) => messages[at]?.id ?? []));
};

/**
 * Keeps a message in the table, from where it is sent once it is due (ms since the epoch) and the queue takes messages.
 * @throws what the table throws
 */
export const saveToOutbox = async (message: Message, dueAt: number): Promise<void> => {
  await conditionalPut(
    {
      Item: outboxMessage(message, dueAt),
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    { timeoutMs: keepTimeoutMs },
  );
};

interface Delay {
  /** A whole number, 900 at most. */
  readonly delaySeconds?: number;
}

/**
 * Has a job done later, at least once, or throws: while the queue takes nothing the job waits in the table.
 * @throws what the table throws where neither takes it
 */
export const enqueueOrThrow = async <Schema extends z.ZodType>(
  { name: kind }: JobType<Schema>,
  data: z.input<Schema>,
  { delaySeconds = 0 }: Delay = {},
): Promise<void> => {
  const message: Message = { id: randomUUID(), kind, data };
  const delay = Math.min(delaySeconds, maxDelaySeconds);
  try {
    await send(message, delay);
  } catch (cause) {
    getLogger().warn('A job waits in the table', { kind, failure: serializeError(cause) });
    getMetrics().addMetric('JobsDeferred', MetricUnit.Count, 1);
    await saveToOutbox(message, Date.now() + delay * 1_000);
  }
};

/** The same for a request that must not fail by it: what neither queue nor table takes is lost, logged and counted. */
export const enqueue = async <Schema extends z.ZodType>(
  type: JobType<Schema>,
  data: z.input<Schema>,
  delay?: Delay,
): Promise<void> => {
  try {
    await enqueueOrThrow(type, data, delay);
  } catch (error) {
    getLogger().error('A job is lost', { kind: type.name, failure: serializeError(error) });
    getMetrics().addMetric('JobsLost', MetricUnit.Count, 1);
  }
};

const briefMs = 200;

/**
 * Has a job done that may as well be lost, because a request must not wait for it (decisions.md#jobs): at most 200 ms, and
 * what the queue has not taken by then is counted and dropped.
 */
export const enqueueBestEffort = async <Schema extends z.ZodType>(
  { name: kind }: JobType<Schema>,
  data: z.input<Schema>,
): Promise<void> => {
  const message: Message = { id: randomUUID(), kind, data };
  try {
    await withDeadline(briefMs, (signal) => send(message, 0, signal));
  } catch {
    getMetrics().addMetric('JobsDropped', MetricUnit.Count, 1);
  }
};
