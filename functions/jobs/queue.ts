import { randomUUID } from 'node:crypto';
import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type * as z from 'zod';
import { putIf } from '../../shared/conditional-write.ts';
import { toLogEntry } from '../../shared/failure.ts';
import { setting } from '../../shared/settings.ts';
import { keys } from '../../shared/table.ts';
import { log, measures } from '../../shared/telemetry.ts';
// The kinds' types only: who sends a job has nothing of its work in the bundle.
import type { kinds } from './kinds.ts';

export type JobKind = keyof typeof kinds;
export type JobData<Kind extends JobKind> = z.input<(typeof kinds)[Kind]['data']>;

/** A job on its way: what the body of its message says. */
export interface Message {
  /** The same however often the message is delivered. */
  readonly id: string;
  readonly kind: string;
  readonly data: unknown;
}

/** SQS delays a message by so many seconds at most. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html */
const maxDelaySeconds = 900;

/** How long a message that the queue did not take is kept: as long as the queue itself would. */
const keepSeconds = 4 * 86_400;

let client: SQSClient | undefined;

/** The one SQS client: a second at most for a try, two tries. */
const queueClient = (): SQSClient => {
  client ??= new SQSClient({
    maxAttempts: 2,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: 500,
      requestTimeout: 1_000,
      throwOnRequestTimeout: true,
    }),
  });
  return client;
};

/**
 * Puts a message into the queue.
 * @throws when the queue doesn't take it
 */
export const send = async (message: Message, delaySeconds = 0): Promise<void> => {
  await queueClient().send(
    new SendMessageCommand({
      QueueUrl: setting('JOBS_QUEUE_URL'),
      MessageBody: JSON.stringify(message),
      ...(delaySeconds > 0 && { DelaySeconds: Math.min(delaySeconds, maxDelaySeconds) }),
    }),
  );
};

/** Keeps a message in the table until the queue takes messages again. */
const keep = async (message: Message, delaySeconds: number): Promise<void> => {
  const now = Date.now();
  const sendAt = new Date(now + delaySeconds * 1_000).toISOString();
  await putIf({
    Item: {
      ...keys.unsentJob(sendAt, message.id),
      message: JSON.stringify(message),
      ttl: Math.ceil(now / 1_000) + delaySeconds + keepSeconds,
    },
    ConditionExpression: 'attribute_not_exists(pk)',
  });
};

/**
 * Has a job done later, at least once, `delaySeconds` (900 at most) from now at the earliest. It never fails: while the
 * queue takes nothing the job waits in the table, and what not even the table takes is lost, logged and counted.
 */
export const enqueue = async <Kind extends JobKind>(
  kind: Kind,
  data: JobData<Kind>,
  { delaySeconds = 0 }: { readonly delaySeconds?: number } = {},
): Promise<void> => {
  const message: Message = { id: randomUUID(), kind, data };
  try {
    await send(message, delaySeconds);
  } catch (cause) {
    log().warn('A job waits in the table', { kind, failure: toLogEntry(cause) });
    measures().addMetric('JobsKept', MetricUnit.Count, 1);
    await keep(message, delaySeconds).catch((error) => {
      log().error('A job is lost', { kind, failure: toLogEntry(error) });
      measures().addMetric('JobsLost', MetricUnit.Count, 1);
    });
  }
};
