import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { loadShare } from '../reading/load.ts';
import { closeAccessWrite } from '../record/access-state.ts';
import { auditedShare } from '../record/audit.ts';
import { shareKeys } from '../record/keys.ts';
import {
  type Closer,
  endedError,
  type FoundShare,
  getShareStatus,
  getTitle,
  retryOnConflict,
  type StoredShare,
} from '../record/share.ts';
import { type EndedBy, endSteps } from './notify.ts';

const toCloser = (share: StoredShare, by: EndedBy): Closer => {
  if (by === 'reader') return by;
  return share.ownerId === by.id ? 'owner' : 'moderator';
};

/**
 * Ends a share now: it responds with 410, and its content is deleted later. `by` is a user or an unknown reader, whom
 * `admitCloser` admits to the current share. The owner is notified if it is someone else.
 * @throws AppError GONE if it has ended already or was taken down, and what `admitCloser` throws
 */
export const closeShare = (
  by: EndedBy,
  admitCloser: () => Promise<FoundShare>,
  recorder: ChangeRecorder,
): Promise<FoundShare> =>
  retryOnConflict(async () => {
    const found = await admitCloser();
    const { share } = found;
    const { id } = share;
    const status = getShareStatus(found);
    if (status === 'ended' || status === 'taken-down') throw endedError();
    const now = new Date().toISOString();
    const closedBy = toCloser(share, by);
    const fields = {
      closedAt: now,
      closedBy,
      version: share.version + 1,
    };
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), fields, versionCondition(share.version)),
        refused: 'changed',
      },
      { write: closeAccessWrite(id, now), refused: 'changed' },
      ...(await endSteps(
        found,
        by,
        by === 'reader'
          ? notificationTemplates.shareEndedByReader(getTitle(share))
          : notificationTemplates.shareEndedByModerator(getTitle(share)),
        { by: closedBy, how: 'ended', at: now },
      )),
      ...recorder.steps({
        ...auditedShare(share),
        after: { endedAt: now, ...(by === 'reader' && { endedBy: by }) },
      }),
    ]);
    return refused ? undefined : loadShare(id);
  });
