import { AppError } from '../../shared/errors.ts';
import { removeTexts } from '../../shared/stored-text.ts';
import { keys, tableName } from '../../shared/table.ts';
import { moveTotal } from '../../shared/total.ts';
import { removeItem, transact } from '../../shared/transaction.ts';
import { moveOwnCount } from './own-list.ts';
import { find } from './reading.ts';
import type { StoredShare } from './share.ts';

const maxTries = 4;

/** Removes a share as it was seen with all that belongs to it, in one transaction; `false` when it has changed since. */
const removeSeen = async (share: StoredShare): Promise<boolean> => {
  const { id, ownerId, createdAt, version, texts } = share;
  const failed = await transact({
    share: {
      Delete: {
        TableName: tableName(),
        Key: keys.share(id),
        ConditionExpression: 'attribute_exists(pk) AND version = :seen',
        ExpressionAttributeValues: { ':seen': version },
      },
    },
    gate: removeItem(keys.shareViews(id)),
    own: removeItem(keys.ownShare(ownerId, createdAt, id)),
    count: moveOwnCount(ownerId, -1),
    total: moveTotal('shares', -1),
    ...(texts && removeTexts(keys.shareTexts(id), texts)),
  });
  return failed === undefined;
};

/**
 * Removes a share: from then on it never existed. `check` is given the share as it is, and may throw.
 * @throws AppError NOT_FOUND
 */
export const removeShare = async (
  id: string,
  check: (share: StoredShare) => void,
): Promise<void> => {
  for (let attempt = 0; attempt < maxTries; attempt++) {
    const { share } = await find(id);
    check(share);
    if (await removeSeen(share)) return;
  }
  throw new AppError('SERVICE_UNAVAILABLE', 'The share keeps changing: try again');
};
