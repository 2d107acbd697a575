import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const batch = 25;

const writeAll = async (requests: readonly object[]): Promise<void> => {
  for (let at = 0; at < requests.length; at += batch) {
    const RequestItems = { [tableName()]: requests.slice(at, at + batch) as never };
    await documentClient().send(new BatchWriteCommand({ RequestItems }));
  }
};

/** Puts items without conditions. */
export const putItems = (items: readonly object[]): Promise<void> =>
  writeAll(items.map((Item) => ({ PutRequest: { Item } })));

export const removeItems = (keys: readonly { readonly pk: string; readonly sk: string }[]) =>
  writeAll(keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
