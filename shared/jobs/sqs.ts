import { SendMessageBatchCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { createRequestHandler } from '../runtime/request-handler.ts';
import { getSetting } from '../runtime/settings.ts';

let client: SQSClient | undefined;

/** The one SQS client: a second at most for a try, two tries. */
const queueClient = (): SQSClient => {
  client ??= new SQSClient({
    maxAttempts: 2,
    requestHandler: createRequestHandler(1_000),
  });
  return client;
};

/** Puts a message into the queue, to be delivered in so many seconds. @throws when the queue does not take it */
export const sendMessage = async (
  body: string,
  delaySeconds: number,
  abortSignal?: AbortSignal,
): Promise<void> => {
  await queueClient().send(
    new SendMessageCommand({
      QueueUrl: getSetting('JOBS_QUEUE_URL'),
      MessageBody: body,
      ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
    }),
    abortSignal ? { abortSignal } : {},
  );
};

/**
 * Puts up to ten messages into the queue at once; answers the places of those that it took.
 * @throws when the queue takes none
 */
export const sendMessages = async (bodies: readonly string[]): Promise<number[]> => {
  const { Successful = [] } = await queueClient().send(
    new SendMessageBatchCommand({
      QueueUrl: getSetting('JOBS_QUEUE_URL'),
      Entries: bodies.map((body, at) => ({ Id: String(at), MessageBody: body })),
    }),
  );
  return Successful.map(({ Id }) => Number(Id));
};
