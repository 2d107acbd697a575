import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createRequestHandler } from '../runtime/request-handler.ts';
import { getQueueUrl, type JobQueue } from './job-queue.ts';

let client: SQSClient | undefined;

/** Returns the SQS client: two attempts of up to one second. */
export const queueClient = (): SQSClient => {
  client ??= new SQSClient({
    maxAttempts: 2,
    requestHandler: createRequestHandler(1_000),
  });
  // It formats each input and output, even without a logger.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
};

/**
 * Sends a message to a queue with a delay.
 * @throws when the queue does not accept it
 */
export const sendMessage = async (
  queue: JobQueue,
  body: string,
  delaySeconds: number,
  abortSignal?: AbortSignal,
): Promise<void> => {
  await queueClient().send(
    new SendMessageCommand({
      QueueUrl: getQueueUrl(queue),
      MessageBody: body,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
    abortSignal ? { abortSignal } : {},
  );
};

/**
 * Sends up to ten messages to a queue and returns the positions of those the queue accepted.
 * @throws when the queue accepts none
 */
export const sendMessages = async (
  queue: JobQueue,
  bodies: readonly string[],
): Promise<number[]> => {
  const { Successful = [] } = await queueClient().send(
    new SendMessageBatchCommand({
      QueueUrl: getQueueUrl(queue),
      Entries: bodies.map((body, at) => ({ Id: String(at), MessageBody: body })),
    }),
  );
  return Successful.map(({ Id }) => Number(Id));
};
