import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';
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
import type { ShareEnd } from '../reading/share-events.ts';
import { receivedWrites } from '../received/entries.ts';
import { auditDeleted } from '../record/audit.ts';
import { getCounts } from '../record/counters.ts';
import { deleteScheduledEnd } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { deleteAccessSteps } from '../record/links.ts';
import { deleteRevisionsWrite } from '../record/revisions.ts';
import {
  type FoundShare,
  findEndCause,
  getEnd,
  getTitle,
  hasEnded,
  retryOnConflict,
  type StoredShare,
} from '../record/share.ts';
import { releaseSlug } from '../record/slugs.ts';
import { endSteps } from './notify.ts';

/** The user who deletes a share. */
interface Remover {
  readonly user: StoredUser;
  readonly recorder: ChangeRecorder;
}

/**
 * Returns how a share ends that is deleted; `undefined` if its owner’s webhooks know its end. One that a limit has ended tells it
 * when its content is deleted, which won’t happen any more.
 */
const findEnd = (found: FoundShare, { id }: StoredUser): ShareEnd | undefined => {
  const { share, access } = found;
  if (share.endedAt !== undefined || share.closedAt !== undefined || access.takenDown)
    return undefined;
  const end = getEnd(found);
  if (hasEnded(found) && end !== undefined) {
    const by = findEndCause(found) === 'views' ? 'views' : 'time';
    return { by, how: 'ended', at: new Date(end).toISOString() };
  }
  const by = id === share.ownerId ? 'owner' : 'moderator';
  return { by, how: 'deleted', at: new Date().toISOString() };
};

/**
 * Deletes a share with all its items in one transaction. `removed` is its owner's key if the owner no longer exists. Returns
 * whether it and its links were unchanged since they were read.
 */
const deleteIfUnchanged = async (
  found: FoundShare,
  by: Remover | undefined,
  removed?: Key,
): Promise<boolean> => {
  const { share, access } = found;
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
      ? await endSteps(
          found,
          by.user,
          notificationTemplates.shareDeletedByModerator(getTitle(share)),
          findEnd(found, by.user),
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
