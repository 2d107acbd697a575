import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';

export const jobsQueueName = 'handbill-jobs';
export const deadLettersName = 'handbill-jobs-dead-letter';

/** Shorter than on AWS (six minutes), so that retries are soon visible. */
export const visibilitySeconds = 30;

/** As on AWS. */
const maxReceiveCount = 5;
const daySeconds = 86_400;

type Attributes = Readonly<Record<string, string>>;

const ensureQueue = async (
  client: SQSClient,
  QueueName: string,
  Attributes: Attributes,
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
      MessageRetentionPeriod: String(14 * daySeconds),
    });
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: deadLettersUrl, AttributeNames: ['QueueArn'] }),
    );
    const url = await ensureQueue(client, jobsQueueName, {
      MessageRetentionPeriod: String(4 * daySeconds),
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
