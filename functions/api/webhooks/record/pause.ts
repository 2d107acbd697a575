import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../../shared/db/dynamodb.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { nextVersion } from '../../../../shared/db/versioned-record.ts';
import { notificationKeys } from '../../../../shared/notifications/keys.ts';
import { createNotification } from '../../../../shared/notifications/notify.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { audited } from './audit.ts';
import { changeSteps } from './changes.ts';
import { readOwner } from './owner.ts';
import { getHost, isActive, type PauseReason } from './webhook.ts';

const retryOnConflict = createRetry('The webhook is being changed. Try again.');

/** Pauses a webhook that failed for three days, or whose host is gone, and tells its owner. */
export const pause = async (
  userId: number,
  id: number,
  reason: Exclude<PauseReason, 'owner'>,
): Promise<void> => {
  await retryOnConflict(async () => {
    const [owner, [box]] = await Promise.all([
      readOwner(userId),
      batchGet([notificationKeys.counters.at({ userId })]),
    ]);
    const before = owner?.webhooks.find((one) => one.id === id);
    if (!owner || !before || !isActive(before)) return true;
    const after = nextVersion(before, { pausedBy: reason });
    const notice = notificationTemplates.webhookPaused(getHost(before), reason);
    const refused = await transact([
      ...changeSteps(owner, before, after),
      ...createNotification(owner.user, box, notice),
      ...systemRecorder('webhook.pause').steps(audited(before, after)),
    ]);
    return refused ? undefined : true;
  });
};
