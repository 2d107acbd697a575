import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { find } from '../reading/reading.ts';
import { closeAccessWrite } from '../record/access-state.ts';
import { auditedShare } from '../record/audit.ts';
import { shareKeys } from '../record/keys.ts';
import {
  endedError,
  type FoundShare,
  getShareStatus,
  retryUpdate,
  type StoredShare,
} from '../record/share.ts';
import { moderationNotificationSteps } from './notify.ts';

/**
 * Ends a share now: it responds with 410, and its content is deleted later. `check` receives the current share and may
 * throw. The owner is notified if the actor is someone else.
 * @throws AppError NOT_FOUND; GONE if it has ended already or was taken down
 */
export const closeShare = (
  id: string,
  actorId: number,
  check: (share: StoredShare) => void | Promise<void>,
  audit: AuditRecorder,
): Promise<FoundShare> =>
  retryUpdate(async () => {
    const found = await find(id);
    const { share } = found;
    await check(share);
    const status = getShareStatus(found);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    const now = new Date().toISOString();
    const closedBy = share.ownerId === actorId ? 'owner' : 'moderator';
    const fields = { closedAt: now, closedBy, updatedAt: now, version: share.version + 1 };
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), fields, versionCondition(share.version)),
        refused: 'changed',
      },
      { write: closeAccessWrite(id, now), refused: 'changed' },
      ...(await moderationNotificationSteps(
        share,
        actorId,
        notificationTemplates.shareEndedByModerator(share.title),
      )),
      ...audit.steps({ ...auditedShare(share), after: { endedAt: now } }),
    ]);
    return refused ? undefined : find(id);
  });
