import type { Change } from '../../../../shared/audit/audit-log.ts';
import { moveTotal } from '../../../../shared/counters/total.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { removeItem, transact } from '../../../../shared/db/transaction.ts';
import { notices } from '../../../../shared/notifications/templates.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { find } from '../reading/reading.ts';
import { ofRemoved } from '../record/audit.ts';
import { forgetEnd } from '../record/expiry-schedule.ts';
import { moveOwnCount } from '../record/own-list.ts';
import { type StoredShare, untilRemoved } from '../record/share.ts';
import { noticeByModerator } from './notify.ts';

/** Who removes a share, and what notes it down. */
interface Remover {
  readonly id: number;
  readonly change: Change;
}

/** Removes a share as it was seen with all that belongs to it, in one transaction; `false` when it has changed since. */
const removeSeen = async (share: StoredShare, by: Remover | undefined): Promise<boolean> => {
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
    end: forgetEnd(share),
    own: removeItem(keys.ownShare(ownerId, createdAt, id)),
    count: moveOwnCount(ownerId, -1),
    total: moveTotal('shares', -1),
    ...(texts && removeTexts(keys.shareTexts(id), texts)),
    ...by?.change.writes(ofRemoved(share)),
    ...(by &&
      (await noticeByModerator(share, by.id, notices.shareDeletedByModerator(share.title)))),
  });
  return failed === undefined;
};

/**
 * Removes a share: from then on it never existed. `check` is given the share as it is, and may throw. The owner is told
 * where somebody else removes it. Where nobody does nothing is noted down, because what removes it is noted already: its
 * owner's removal, or its end.
 * @throws AppError NOT_FOUND
 */
export const removeShare = async (
  id: string,
  check: (share: StoredShare) => void | Promise<void>,
  by?: Remover,
): Promise<void> => {
  await untilRemoved(async () => {
    const { share } = await find(id);
    await check(share);
    return (await removeSeen(share, by)) || undefined;
  });
};
