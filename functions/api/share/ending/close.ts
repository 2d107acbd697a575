import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { find } from '../reading/reading.ts';
import { closeAccessWrite } from '../record/access-state.ts';
import { auditSubject } from '../record/audit.ts';
import {
  endedError,
  type FoundShare,
  getShareStatus,
  type StoredShare,
  untilChanged,
} from '../record/share.ts';
import { moderationNotification } from './notify.ts';

/**
 * Ends a share now, for its owner or a moderator: it answers 410, and its content is deleted as after any other end.
 * `check` is given the share as it is, and may throw. The owner is told where it was somebody else.
 * @throws AppError NOT_FOUND; GONE when it has ended already, or was taken down
 */
export const closeShare = (
  id: string,
  actorId: number,
  check: (share: StoredShare) => void | Promise<void>,
  noted: AuditRecorder,
): Promise<FoundShare> =>
  untilChanged(async () => {
    const found = await find(id);
    const { share } = found;
    await check(share);
    const status = getShareStatus(found);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    const now = new Date().toISOString();
    const fields = { closedAt: now, updatedAt: now, version: share.version + 1 };
    const failed = await transact({
      share: updateFields(keys.share(id), fields, versionCondition(share.version)),
      gate: closeAccessWrite(id, now),
      ...(await moderationNotification(
        share,
        actorId,
        notificationTemplates.shareEndedByModerator(share.title),
      )),
      ...noted.writes({ subject: auditSubject(id), after: { endedAt: now } }),
    });
    return failed ? undefined : find(id);
  });
