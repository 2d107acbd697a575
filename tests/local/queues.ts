import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { onTestFinished } from 'vitest';
import { runInProcess } from '../../infra/local/aws/host/in-process.ts';
import { localQueueUrl } from '../../infra/local/aws/queue/queue.ts';
import { queueNames } from '../../infra/local/jobs/queues.ts';
import { openTestQueues, type TestQueues } from '../support/service/queue-server.ts';

export const QueueUrl = localQueueUrl(queueNames.work);

/** Opens empty queues for this test. */
export const start = (): TestQueues => {
  const queues = openTestQueues();
  onTestFinished(() => queues.close());
  return queues;
};

/** Returns a client whose commands run in this process; others find no endpoint. */
export const clientOf = ({ engine }: Pick<TestQueues, 'engine'>): SQSClient => {
  const client = new SQSClient({ endpoint: 'http://127.0.0.1:1', maxAttempts: 1 });
  runInProcess(client, engine.operations);
  return client;
};

/** Sends messages to the queue of work. */
export const send = async (queues: TestQueues, ...bodies: readonly string[]): Promise<void> => {
  for (const MessageBody of bodies) {
    await clientOf(queues).send(new SendMessageCommand({ QueueUrl, MessageBody }));
  }
};

/** Returns the bodies in the queue of work. */
export const bodiesIn = ({ bodies }: TestQueues): string[] => bodies(queueNames.work).sort();
