import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../db/dynamodb.ts';
import type { ListKey } from '../lists/pagination.ts';
import { processItems, sweepDeadline } from '../lists/process-items.ts';
import type { JobQueue } from './job-queue.ts';
import { Message } from './job-type.ts';
import { jobKeys } from './keys.ts';
import { maxBatchSize, sendBatch } from './queue.ts';

const deleteSent = async ({ pk, sk }: ListKey): Promise<void> => {
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
};

interface Unsent {
  readonly item: ListKey;
  readonly queue: JobQueue;
  readonly message: Message;
}

const parseUnsent = (item: ListKey): Unsent => ({
  item,
  queue: item['queue'] as JobQueue,
  message: Message.parse(JSON.parse(item['message'] as string)),
});

const sendTo = async (queue: JobQueue, unsent: readonly Unsent[]): Promise<void> => {
  for (let at = 0; at < unsent.length; at += maxBatchSize) {
    const batch = unsent.slice(at, at + maxBatchSize);
    const taken = await sendBatch(
      queue,
      batch.map(({ message }) => message),
    );
    await Promise.all(
      batch.filter(({ message }) => taken.has(message.id)).map(({ item }) => deleteSent(item)),
    );
  }
};

/** Sends jobs to their queues, whose failures don't affect the others. */
const send = async (items: readonly ListKey[]): Promise<void> => {
  const queues = Map.groupBy(items.map(parseUnsent), ({ queue }) => queue);
  const outcomes = await Promise.allSettled(
    [...queues].map(([queue, unsent]) => sendTo(queue, unsent)),
  );
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
};

/**
 * Sends the due jobs of the outbox, for up to 20 s; the next run sends the rest. A job that is sent but not deleted is
 * sent again with the same id. A job that the queue rejects does not stop the others.
 * @throws what the queue throws while it accepts nothing
 */
export const sendOutbox = async (): Promise<void> => {
  await processItems(
    {
      KeyConditionExpression: 'pk = :pk AND sk < :now',
      ExpressionAttributeValues: {
        ':pk': jobKeys.outbox.partition().pk,
        // The next millisecond, because keys continue after the time: a job due now is sent now.
        ':now': new Date(Date.now() + 1).toISOString(),
      },
      ConsistentRead: true,
    },
    send,
    sweepDeadline(),
  );
};
