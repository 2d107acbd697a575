import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { HttpError } from './errors.ts';

export const TableName = process.env['TABLE_NAME'] ?? '';

export const client = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 3 }), {
  marshallOptions: { removeUndefinedValues: true },
});

interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Reads two items in one strongly consistent round trip; a missing item is `undefined`. */
export const readTwo = async <One, Other>(
  one: Key,
  other: Key,
): Promise<[One | undefined, Other | undefined]> => {
  const { Responses, UnprocessedKeys } = await client.send(
    new BatchGetCommand({
      RequestItems: { [TableName]: { Keys: [one, other], ConsistentRead: true } },
    }),
  );
  if (UnprocessedKeys && Object.keys(UnprocessedKeys).length > 0) {
    throw new HttpError(
      503,
      'SERVICE_UNAVAILABLE',
      'The service is temporarily unavailable. Try again.',
    );
  }
  const items = Responses?.[TableName] ?? [];
  const find = ({ pk, sk }: Key) => items.find((item) => item['pk'] === pk && item['sk'] === sk);
  return [find(one) as One | undefined, find(other) as Other | undefined];
};
