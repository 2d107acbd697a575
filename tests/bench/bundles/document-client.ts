import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

/** Reads an item with the least code. As in the service, the first event creates the client. */
export const handler = async () => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient());
  const Key = { pk: 'FLOOR', sk: 'FLOOR' };
  const { Item = {} } = await client.send(
    new GetCommand({ TableName: process.env['TABLE_NAME'], Key }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
};
