import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { getQueueUrl, jobQueues } from './job-queue.ts';
import { queueClient } from './sqs.ts';

/** How many jobs there are, approximately. */
export interface QueueState {
  /** Due, and not yet delivered. */
  readonly waiting: number;
  readonly running: number;
  /** Due later. */
  readonly delayed: number;
  /** Given up after five attempts. */
  readonly failed: number;
}

type Attributes = Readonly<Record<string, string>>;

const readAttributes = async (
  QueueUrl: string,
  names: readonly ('All' | 'ApproximateNumberOfMessages')[],
  abortSignal: AbortSignal,
): Promise<Attributes> => {
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] });
  return (await queueClient().send(command, { abortSignal })).Attributes ?? {};
};

/** Returns the URL of the dead-letter queue, which has the name that its ARN ends with. */
const getDeadLettersUrl = (queueUrl: string, { RedrivePolicy = '{}' }: Attributes): string => {
  const { deadLetterTargetArn } = JSON.parse(RedrivePolicy) as { deadLetterTargetArn: string };
  return queueUrl.replace(/[^/]+$/, deadLetterTargetArn.split(':').at(-1) ?? '');
};

/**
 * Counts the jobs in all queues and in their dead-letter queue.
 * @throws what SQS throws, and the reason of the signal
 */
export const readQueueState = async (abortSignal: AbortSignal): Promise<QueueState> => {
  // Two kinds of jobs can have one queue.
  const urls = [...new Set(jobQueues.map(getQueueUrl))];
  const queues = await Promise.all(urls.map((url) => readAttributes(url, ['All'], abortSignal)));
  const deadLetterUrls = new Set(
    queues.map((queue, at) => getDeadLettersUrl(urls[at] ?? '', queue)),
  );
  const dead = await Promise.all(
    [...deadLetterUrls].map((url) =>
      readAttributes(url, ['ApproximateNumberOfMessages'], abortSignal),
    ),
  );
  const count = (all: readonly Attributes[], name: string) =>
    all.reduce((sum, attributes) => sum + Number(attributes[name] ?? 0), 0);
  return {
    waiting: count(queues, 'ApproximateNumberOfMessages'),
    running: count(queues, 'ApproximateNumberOfMessagesNotVisible'),
    delayed: count(queues, 'ApproximateNumberOfMessagesDelayed'),
    failed: count(dead, 'ApproximateNumberOfMessages'),
  };
};
