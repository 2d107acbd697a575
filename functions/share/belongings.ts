import { readMatches, startingWith } from '../../shared/page.ts';
import { batchGet, keys, tableName } from '../../shared/table.ts';
import { removeItem, transact } from '../../shared/transaction.ts';
import * as content from './content.ts';
import { moveOwnCount, type StoredShare } from './shares.ts';

const atOnce = 25;

const ownShares = async (ownerId: number): Promise<StoredShare[]> => {
  const { items } = await readMatches(startingWith(keys.ownShares(ownerId)), {
    matches: atOnce,
    scanned: atOnce,
  });
  const found = await batchGet(items.map(({ id }) => keys.share(id as string)));
  return found.filter((share) => share !== undefined) as unknown as StoredShare[];
};

/** Removes a share with all that belongs to it, in one transaction. */
export const removeShare = async ({
  id,
  ownerId,
  createdAt,
  parts,
}: StoredShare): Promise<void> => {
  await transact({
    share: {
      Delete: {
        TableName: tableName(),
        Key: keys.share(id),
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
    views: removeItem(keys.shareViews(id)),
    own: removeItem(keys.ownShare(ownerId, createdAt, id)),
    count: moveOwnCount(ownerId, -1),
    ...content.remove(id, parts),
  });
};

const handOverShare = async (share: StoredShare, to: number): Promise<void> => {
  const { id, ownerId, createdAt } = share;
  await transact({
    share: {
      Update: {
        TableName: tableName(),
        Key: keys.share(id),
        UpdateExpression: 'SET ownerId = :to',
        ConditionExpression: 'attribute_exists(pk) AND ownerId = :from',
        ExpressionAttributeValues: { ':from': ownerId, ':to': to },
      },
    },
    before: removeItem(keys.ownShare(ownerId, createdAt, id)),
    after: { Put: { TableName: tableName(), Item: { ...keys.ownShare(to, createdAt, id), id } } },
    countBefore: moveOwnCount(ownerId, -1),
    countAfter: moveOwnCount(to, 1),
  });
};

/** Removes a user's shares, or hands them to another user, until `deadline` (ms since 1970). Says whether all are done. */
export const clearShares = async (
  ownerId: number,
  { to, deadline }: { readonly to?: number | undefined; readonly deadline: number },
): Promise<boolean> => {
  for (;;) {
    const shares = await ownShares(ownerId);
    if (shares.length === 0) return true;
    for (const share of shares) {
      if (Date.now() >= deadline) return false;
      await (to === undefined ? removeShare(share) : handOverShare(share, to));
    }
  }
};
