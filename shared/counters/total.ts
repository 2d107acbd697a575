import { randomInt } from 'node:crypto';
import { batchGet, tableName } from '../db/dynamodb.ts';
import { keys } from '../db/table.ts';
import type { Write } from '../db/transaction.ts';

/** What is counted as a whole. */
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

/** One item takes 1 000 writes a second at most, and transactions on it collide: so there are several. */
const shards = 16;

/** The write that moves a total by `delta`, for the transaction that makes or removes a record. */
export const incrementTotal = (counted: CountedKind, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.total(counted, randomInt(shards)),
    UpdateExpression: 'ADD #count :delta',
    ExpressionAttributeNames: { '#count': 'count' },
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** How many there are, exactly; one round trip, whatever the number. */
export const readTotal = async (counted: CountedKind): Promise<number> => {
  const items = await batchGet(
    Array.from({ length: shards }, (_, shard) => keys.total(counted, shard)),
  );
  return items.reduce((sum, item) => sum + ((item?.['count'] as number | undefined) ?? 0), 0);
};
