import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../shared/dynamodb.ts';
import { readMatches } from '../../shared/page.ts';
import { type Key, keys } from '../../shared/table.ts';
import { Message } from './job.ts';
import { maxBatchSize, sendBatch } from './queue.ts';

/** As many as a minute's sweep takes on; the rest waits for the next one. */
const atOnce = 1_000;

const forget = async ({ pk, sk }: Key): Promise<void> => {
  await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
};

/**
 * Sends the jobs that the queue did not take when they were made and whose time has come. One that is sent and could not
 * be forgotten is sent again with the same id; one that the queue refuses keeps no other from being sent.
 * @throws what the queue throws while it still takes nothing
 */
export const sendUnsent = async (): Promise<void> => {
  const { items } = await readMatches(
    {
      KeyConditionExpression: 'pk = :pk AND sk < :now',
      ExpressionAttributeValues: {
        ':pk': keys.unsentJob('', '').pk,
        ':now': new Date().toISOString(),
      },
      ConsistentRead: true,
    },
    { matches: atOnce, scanned: atOnce },
  );
  const unsent = items.map((item) => ({
    key: item as unknown as Key,
    message: Message.parse(JSON.parse(item['message'] as string)),
  }));
  for (let at = 0; at < unsent.length; at += maxBatchSize) {
    const batch = unsent.slice(at, at + maxBatchSize);
    const taken = await sendBatch(batch.map(({ message }) => message));
    await Promise.all(
      batch.filter(({ message }) => taken.has(message.id)).map(({ key }) => forget(key)),
    );
  }
};
