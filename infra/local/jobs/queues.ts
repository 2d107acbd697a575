import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueDoesNotExist,
  SQSClient,
} from '@aws-sdk/client-sqs';

export const jobsQueueName = 'handbill-jobs';
export const deadLettersName = 'handbill-jobs-dead';

/** Shorter than on AWS (six minutes), so that whoever tries something out sees it tried again. */
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
 * Makes the queue of jobs and that of its dead letters as the stack does, unless they are there. Answers the URL of the
 * queue of jobs, at the endpoint itself: an engine's own name for itself need not lead anywhere.
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
