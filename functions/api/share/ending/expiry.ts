import { countSteps } from '../../../../shared/counters/counter.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import type { ListKey } from '../../../../shared/db/query.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { enqueueOrThrow } from '../../../../shared/jobs/queue.ts';
import type { Deadline } from '../../../../shared/lists/process-items.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';
import { runEach, sweepDeadline } from '../../../../shared/schedule/due-work.ts';
import type { ScheduledWork } from '../../../../shared/schedule/scheduled-work.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { removeManifest } from '../files/manifest.ts';
import { pruneShareWrite } from '../files/prune-entries.ts';
import { loadShare, loadShares } from '../reading/load.ts';
import { receivedWrites } from '../received/entries.ts';
import { viewCountCondition } from '../record/access-state.ts';
import { getCounts } from '../record/counters.ts';
import { deleteScheduledEnd, expiryIndex } from '../record/expiry-schedule.ts';
import { purgeShareJob } from '../record/jobs.ts';
import { shareKeys } from '../record/keys.ts';
import { deleteRevisions } from '../record/revisions.ts';
import {
  contentRetentionMs,
  type FoundShare,
  getContentRetentionMs,
  getEnd,
  hasEnded,
  tombstoneRetentionMs,
} from '../record/share.ts';
import { deleteShare } from './delete.ts';
import { endNotificationSteps } from './notify.ts';

const toIso = (ms: number): string => new Date(ms).toISOString();

const retryOnConflict = createRetry('Deliveries are in progress. Try again.', 4);

/** Turns the share into a tombstone and notifies its owner, unless it was updated or viewed since it was read. */
const writeTombstone = (found: FoundShare, end: number): Promise<true> => {
  const { share, access } = found;
  const { id, version, texts, from } = share;
  const kept = from && { requestId: from.requestId, name: from.name };
  const tombstone = {
    from: kept,
    endedAt: toIso(end),
    version: version + 1,
    texts: undefined,
    files: undefined,
    hasRevisions: undefined,
    isContentRestricted: undefined,
    contentTitle: undefined,
    membersSince: undefined,
    description: undefined,
    password: undefined,
  };
  const unlocked = {
    passwordId: undefined,
    ...expiryIndex.tombstone(toIso(end + tombstoneRetentionMs), id),
  };
  return retryOnConflict(async () => {
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), tombstone, versionCondition(version)),
        refused: 'changed',
      },
      {
        write: updateFields(
          shareKeys.access.at({ id }),
          unlocked,
          viewCountCondition(access.views),
        ),
        refused: 'changed',
      },
      deleteScheduledEnd(share),
      texts && removeTexts(shareKeys.content.at({ id }), texts),
      removeManifest(share),
      pruneShareWrite(share, { isGone: false }),
      ...receivedWrites(share, { ...share, ...tombstone }),
      ...countSteps(getCounts(share), getCounts({ ...share, from: kept, files: undefined })),
      ...(await endNotificationSteps(found, tombstone.endedAt)),
    ]);
    return refused?.by === 'newerNotification' ? undefined : true;
  });
};

/** The share was deleted concurrently. */
const ignoreMissing = (error: unknown): void => {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
};

/**
 * Deletes the content of a share once it is kept no longer; a tombstone stays. Leaves any other share as it is. If its revisions
 * take too long, a job goes on.
 */
const purgeContent = async (found: FoundShare): Promise<void> => {
  const { id, endedAt, hasRevisions } = found.share;
  const end = getEnd(found);
  if (endedAt !== undefined || end === undefined || !hasEnded(found)) return;
  if (end + getContentRetentionMs(found) > Date.now()) return;
  if (hasRevisions && !(await deleteRevisions(id, sweepDeadline()))) {
    await enqueueOrThrow(purgeShareJob, { id });
    return;
  }
  await writeTombstone(found, end);
};

/** Deletes the content of a share as `purgeContent` does, if the share exists. Safe to repeat. */
export const purgeEndedShare = (id: string): Promise<void> =>
  loadShare(id).then(purgeContent).catch(ignoreMissing);

/** Calls `work` with shares, an owner's one after another. Deleted ones are left out. */
const runEachShare = async (
  ids: readonly string[],
  work: (found: FoundShare) => Promise<unknown>,
  bound: Deadline,
): Promise<void> => {
  const ofOwner = ({ share }: FoundShare) => share.ownerId;
  await runEach(await loadShares(ids), (found) => work(found).catch(ignoreMissing), bound, ofOwner);
};

/**
 * Deletes the content of those of these shares that have ended, as `purgeContent` does. Safe to repeat. Returns the errors of
 * those that failed, by id.
 * @throws what reading them throws
 */
export const purgeEndedShares = async (
  ids: readonly string[],
  bound: Deadline,
): Promise<ReadonlyMap<string, unknown>> => {
  const failed = new Map<string, unknown>();
  const purge = (found: FoundShare) =>
    purgeContent(found)
      .catch(ignoreMissing)
      .catch((error) => failed.set(found.share.id, error));
  await runEachShare(ids, purge, bound);
  return failed;
};

const toIds = (items: readonly ListKey[]): string[] =>
  items.map(({ gsi1sk }) => String(gsi1sk).split('#')[1] ?? '');

/** Deletes the content of ended shares. */
export const endedShares: ScheduledWork = {
  name: 'ended-shares',
  due: shareKeys.ends,
  afterMs: contentRetentionMs,
  run: (items, bound) => runEachShare(toIds(items), purgeContent, bound),
};

/** Deletes expired tombstones. */
export const expiredTombstones: ScheduledWork = {
  name: 'tombstones',
  due: shareKeys.tombstones,
  run: (items, bound) =>
    runEachShare(toIds(items), ({ share }) => deleteShare(share.id, () => undefined), bound),
};
