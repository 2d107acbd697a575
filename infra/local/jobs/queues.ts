import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type JobQueue, jobQueues, maxDeliveries } from '../../../shared/jobs/job-queue.ts';
import type { QueueSettings } from '../aws/queue/queue.ts';

export const queueNames = {
  mail: 'handbill-mail',
  activity: 'handbill-activity',
  work: 'handbill-jobs',
  hooks: 'handbill-hooks',
} as const satisfies Readonly<Record<JobQueue, string>>;
export const deadLettersName = 'handbill-jobs-dead-letter';

/** Shorter than on AWS (six minutes), so that retries are soon visible. */
export const visibilitySeconds = 30;

const daySeconds = 86_400;
const retentionSeconds = { jobs: 4 * daySeconds, deadLetters: 14 * daySeconds };

/** The queues of the local engine. */
export const queueSettings: Readonly<Record<string, QueueSettings>> = {
  ...Object.fromEntries(
    Object.values(queueNames).map((name) => [
      name,
      {
        retentionSeconds: retentionSeconds.jobs,
        visibilitySeconds,
        deadLetters: { queue: deadLettersName, maxReceiveCount: maxDeliveries },
      },
    ]),
  ),
  [deadLettersName]: { retentionSeconds: retentionSeconds.deadLetters, visibilitySeconds },
};

const ensureQueue = async (
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<string> => {
  const { QueueUrl = '' } = await client
    .send(new GetQueueUrlCommand({ QueueName }))
    .catch((error) => {
      if (!(error instanceof QueueDoesNotExist)) throw error;
      return client.send(new CreateQueueCommand({ QueueName, Attributes }));
    });
  return QueueUrl;
};

/**
 * Creates the queues of jobs and their dead-letter queue as the stack does, unless they exist. Returns the URLs of the
 * queues of jobs at the endpoint, because an engine may report an unreachable host.
 */
export const ensureQueues = async (endpoint: string): Promise<Record<JobQueue, string>> => {
  const client = new SQSClient({ endpoint, maxAttempts: 2 });
  try {
    const deadLettersUrl = await ensureQueue(client, deadLettersName, {
      MessageRetentionPeriod: String(retentionSeconds.deadLetters),
    });
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
    );
    const ensure = async (queue: JobQueue) => {
      const url = await ensureQueue(client, queueNames[queue], {
        MessageRetentionPeriod: String(retentionSeconds.jobs),
        VisibilityTimeout: String(visibilitySeconds),
        RedrivePolicy: JSON.stringify({
          deadLetterTargetArn: Attributes?.['QueueArn'],
          maxReceiveCount: maxDeliveries,
        }),
      });
      return [queue, new URL(new URL(url).pathname, endpoint).href] as const;
    };
    const urls = await Promise.all(jobQueues.map(ensure));
    return Object.fromEntries(urls) as Record<JobQueue, string>;
  } finally {
    client.destroy();
  }
};
