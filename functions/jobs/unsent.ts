import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { readMatches } from '../../shared/page.ts';
import { documentClient, keys, tableName } from '../../shared/table.ts';
import { send } from './queue.ts';

/** As many as a minute's sweep takes on; the rest waits for the next one. */
const atOnce = 100;

/**
 * Sends the jobs that the queue did not take when they were made and whose time has come. One that is sent and could not
 * be forgotten is sent again with the same id.
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
    },
    { matches: atOnce, scanned: atOnce },
  );
  for (const { pk, sk, message } of items) {
    await send(JSON.parse(message as string));
    await documentClient().send(new DeleteCommand({ TableName: tableName(), Key: { pk, sk } }));
  }
};
