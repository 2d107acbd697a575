import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { createItemWrite, type Write } from '../../../../shared/db/transaction.ts';
import type { StoredShare } from './share.ts';

/** The write that keeps count of a user's shares. */
export const moveOwnCount = (ownerId: number, delta: 1 | -1): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.ownShareCount(ownerId),
    UpdateExpression: 'ADD shares :delta',
    ExpressionAttributeValues: { ':delta': delta },
  },
});

/** The write that puts a share into its owner's list, and into that of all shares, which may lag behind. */
export const putOwn = ({ id, ownerId, createdAt }: StoredShare): Write => {
  const all = keys.allShares(createdAt, id);
  return createItemWrite(keys.shareByOwner(ownerId, createdAt, id), {
    id,
    gsi1pk: all.pk,
    gsi1sk: all.sk,
  });
};
