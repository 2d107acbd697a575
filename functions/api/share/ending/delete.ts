import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { countSteps, withoutCountersOf } from '../../../../shared/counters/counter.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { deleteItemWrite, transact } from '../../../../shared/db/transaction.ts';
import { writeVersion } from '../../../../shared/db/versioned-record.ts';
import { notificationTemplates } from '../../../../shared/notifications/templates.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { removeManifest } from '../files/manifest.ts';
import { pruneShareWrite } from '../files/prune-entries.ts';
import { loadShare } from '../reading/load.ts';
import { deleteReceiptsWrite } from '../reading/receipts.ts';
import { receivedWrites } from '../received/entries.ts';
import { auditDeleted } from '../record/audit.ts';
import { getCounts } from '../record/counters.ts';
import { deleteScheduledEnd } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { deleteAccessSteps } from '../record/links.ts';
import { deleteRevisionsWrite } from '../record/revisions.ts';
import { type FoundShare, getTitle, retryOnConflict, type StoredShare } from '../record/share.ts';
import { releaseSlug } from '../record/slugs.ts';
import { ownerNotificationSteps } from './notify.ts';

/** The user who deletes a share. */
interface Remover {
  readonly id: number;
  readonly recorder: ChangeRecorder;
}

/**
 * Deletes a share with all its items in one transaction. `removed` is its owner's key if the owner no longer exists. Returns
 * whether it and its links were unchanged since they were read.
 */
const deleteIfUnchanged = async (
  { share, access }: FoundShare,
  by: Remover | undefined,
  removed?: Key,
): Promise<boolean> => {
  const { id, ownerId, createdAt, texts } = share;
  const refused = await transact([
    { write: writeVersion(shareKeys.record.at({ id }), share, undefined), refused: 'changed' },
    ...deleteAccessSteps(id, access),
    deleteScheduledEnd(share),
    releaseSlug(share),
    deleteItemWrite(shareKeys.byOwner.at({ ownerId, createdAt, id })),
    ...receivedWrites(share, undefined),
    ...countSteps(withoutCountersOf(removed, getCounts(share)), []),
    texts && removeTexts(shareKeys.content.at({ id }), texts),
    removeManifest(share),
    pruneShareWrite(share, { isGone: true }),
    deleteRevisionsWrite(share),
    deleteReceiptsWrite(share),
    ...(by?.recorder.steps(auditDeleted(share)) ?? []),
    ...(by
      ? await ownerNotificationSteps(
          share,
          by.id,
          notificationTemplates.shareDeletedByModerator(getTitle(share)),
        )
      : []),
  ]);
  return refused === undefined;
};

/**
 * Deletes a share. `check` receives the current share and may throw. The owner is notified if `by` is someone else.
 * Without `by` nothing is audited: the removal of the owner or the end of the share was audited already.
 * @throws AppError NOT_FOUND
 */
export const deleteShare = async (
  id: string,
  check: (share: StoredShare) => void | Promise<void>,
  by?: Remover,
): Promise<void> => {
  await retryOnConflict(async () => {
    const found = await loadShare(id);
    await check(found.share);
    return (await deleteIfUnchanged(found, by)) || undefined;
  });
};

/**
 * Deletes a share of a removed user, whose key is given.
 * @throws AppError NOT_FOUND
 */
export const deleteShareOf = async (removed: Key, id: string): Promise<void> => {
  await retryOnConflict(async () => {
    const found = await loadShare(id);
    return (await deleteIfUnchanged(found, undefined, removed)) || undefined;
  });
};
