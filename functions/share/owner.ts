import { tableName } from '../../shared/dynamodb.ts';
import { keys } from '../../shared/table.ts';
import type { Write } from '../../shared/transaction.ts';

/** The check that a share's owner is there and of this status: whoever is removed or suspended meanwhile gets no share. */
export const ownerIs = (status: string, userId: number): Write => ({
  ConditionCheck: {
    TableName: tableName(),
    Key: keys.user(userId),
    ConditionExpression: 'attribute_exists(pk) AND #status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': status },
  },
});
