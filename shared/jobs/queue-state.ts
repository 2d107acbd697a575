import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { getSetting } from '../runtime/settings.ts';
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
 * Counts the jobs in the queue and in its dead-letter queue.
 * @throws what SQS throws, and the reason of the signal
 */
export const readQueueState = async (abortSignal: AbortSignal): Promise<QueueState> => {
  const url = getSetting('JOBS_QUEUE_URL');
  const jobs = await readAttributes(url, ['All'], abortSignal);
  const deadLettersUrl = getDeadLettersUrl(url, jobs);
  const dead = await readAttributes(deadLettersUrl, ['ApproximateNumberOfMessages'], abortSignal);
  const count = (attributes: Attributes, name: string) => Number(attributes[name] ?? 0);
  return {
    waiting: count(jobs, 'ApproximateNumberOfMessages'),
    running: count(jobs, 'ApproximateNumberOfMessagesNotVisible'),
    delayed: count(jobs, 'ApproximateNumberOfMessagesDelayed'),
    failed: count(dead, 'ApproximateNumberOfMessages'),
  };
};
