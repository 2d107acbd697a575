import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { StoredDocument } from '../../../functions/api/documents/document.ts';
import { indexWrites } from '../../../functions/api/documents/index-entries.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import { createId } from '../../../shared/db/ids.ts';
import { keys } from '../../../shared/db/table.ts';
import { putItems } from '../table/batch-writes.ts';

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
  const documents = Array.from(
    { length: count },
    (_, at): StoredDocument => ({
      id: first + at,
      authorId,
      title: `Note ${at}`,
      type: 'text',
      tags: [],
      size: 0,
      visibility: 'private',
      sharedWith: [],
      createdAt: now,
      updatedAt: now,
      version: 1,
    }),
  );
  for (const document of documents) {
    const places = Object.values(indexWrites(undefined, document));
    await putItems([
      { ...keys.document(document.id), ...document },
      ...places.map(({ Put }) => Put?.Item ?? {}),
    ]);
  }
  await add(keys.documentCounts(authorId, 0), 'seen', count);
  await add(keys.total('documents', 0), 'count', count);
  return documents.map(({ id }) => id);
};
