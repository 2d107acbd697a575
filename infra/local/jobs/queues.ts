import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { QueueSettings } from './queue.ts';

export const jobsQueueName = 'handbill-jobs';
export const deadLettersName = 'handbill-jobs-dead-letter';

/** Shorter than on AWS (six minutes), so that retries are soon visible. */
export const visibilitySeconds = 30;

/** As on AWS. */
const maxReceiveCount = 5;
const daySeconds = 86_400;
const retentionSeconds = { jobs: 4 * daySeconds, deadLetters: 14 * daySeconds };

/** The queues of the local engine. */
export const queueSettings: Readonly<Record<string, QueueSettings>> = {
  [jobsQueueName]: {
    retentionSeconds: retentionSeconds.jobs,
    visibilitySeconds,
    deadLetters: { queue: deadLettersName, maxReceiveCount },
  },
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
 * Creates the job queue and its dead-letter queue as the stack does, unless they exist. Returns the URL of the job queue
 * at the endpoint, because an engine may report an unreachable host.
 */
export const ensureQueues = async (endpoint: string): Promise<string> => {
  const client = new SQSClient({ endpoint, maxAttempts: 2 });
  try {
    const deadLettersUrl = await ensureQueue(client, deadLettersName, {
      MessageRetentionPeriod: String(retentionSeconds.deadLetters),
    });
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
    );
    const url = await ensureQueue(client, jobsQueueName, {
      MessageRetentionPeriod: String(retentionSeconds.jobs),
      VisibilityTimeout: String(visibilitySeconds),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: Attributes?.['QueueArn'],
        maxReceiveCount,
      }),
    });
    return new URL(new URL(url).pathname, endpoint).href;
  } finally {
    client.destroy();
  }
};
