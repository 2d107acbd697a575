import { randomInt } from 'node:crypto';
import { batchGet, tableName } from '../db/dynamodb.ts';
import type { Write } from '../db/transaction.ts';
import { counterKeys } from './keys.ts';

/** What is counted in total. */
export type CountedKind =
  | 'users'
  | 'active-users'
  | 'shares'
  | 'documents'
  | 'documents-of-everyone'
  | 'files'
  | 'files-of-everyone'
  | 'messages'
  | 'pending-tasks'
  | 'sales';

/** One item allows 1,000 writes per second and its transactions conflict, so the total is sharded. */
const shards = 16;

/** Creates the write that changes a total, for the transaction that creates or deletes a record. */
export const incrementTotal = (counted: CountedKind, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: counterKeys.total.at({ counted, shard: randomInt(shards) }),
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** Reads an exact total in one round trip. */
export const readTotal = async (counted: CountedKind): Promise<number> => {
  const items = await batchGet(
    Array.from({ length: shards }, (_, shard) => counterKeys.total.at({ counted, shard })),
  );
  return items.reduce((sum, item) => sum + ((item?.['count'] as number | undefined) ?? 0), 0);
};
