import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documentKeys } from '../../../functions/api/documents/keys.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { newDocument, storedItems } from '../../support/documents/stored.ts';
import { putItems } from '../../support/table/batch-writes.ts';

const add = async (key: object, field: string, count: number): Promise<void> => {
  await documentClient().send(
    new UpdateCommand({
      TableName: tableName(),
      Key: key,
      UpdateExpression: 'ADD #field :count',
      ExpressionAttributeNames: { '#field': field },
      ExpressionAttributeValues: { ':count': count },
    }),
  );
};

/** Stores many documents of an author by batch writes, as the service would. Returns their ids. */
export const putDocuments = async (authorId: number, count: number): Promise<number[]> => {
  const first = createId();
  const now = new Date().toISOString();
  const documents = Array.from({ length: count }, (_, at) =>
    newDocument({ id: first + at, authorId, title: `Note ${at}`, createdAt: now, updatedAt: now }),
  );
  for (const document of documents) await putItems(storedItems(document));
  await add(documentKeys.counts.at({ userId: authorId, shard: 0 }), 'seen', count);
  await add(counterKeys.total.at({ shard: 0 }), 'documents', count);
  return documents.map(({ id }) => id);
};
