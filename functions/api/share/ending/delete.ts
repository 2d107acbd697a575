import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { incrementTotal } from '../../../../shared/counters/total.ts';
import { tableName } from '../../../../shared/db/dynamodb.ts';
import { keys } from '../../../../shared/db/table.ts';
import { deleteItemWrite, transact } from '../../../../shared/db/transaction.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { find } from '../reading/reading.ts';
import { auditDeleted } from '../record/audit.ts';
import { deleteScheduledEnd } from '../record/expiry-schedule.ts';
import { moveOwnCount } from '../record/own-list.ts';
import { type StoredShare, untilRemoved } from '../record/share.ts';
import { moderationNotification } from './notify.ts';

/** Who removes a share, and what notes it down. */
interface Remover {
  readonly id: number;
  readonly change: AuditRecorder;
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
    gate: deleteItemWrite(keys.shareAccess(id)),
    end: deleteScheduledEnd(share),
    own: deleteItemWrite(keys.shareByOwner(ownerId, createdAt, id)),
    count: moveOwnCount(ownerId, -1),
    total: incrementTotal('shares', -1),
    ...(texts && removeTexts(keys.shareContent(id), texts)),
    ...by?.change.writes(auditDeleted(share)),
    ...(by &&
      (await moderationNotification(
        share,
        by.id,
        notificationTemplates.shareDeletedByModerator(share.title),
      ))),
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
