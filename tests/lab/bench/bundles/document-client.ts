import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';

// As in the service, the start creates the client.
const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** Reads an item with the least code. */
export const handler = async () => {
  const Key = { pk: 'FLOOR', sk: 'FLOOR' };
  const { Item = {} } = await client.send(
    new GetCommand({ TableName: process.env['TABLE_NAME'], Key }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
};
