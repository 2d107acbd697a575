import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import { dueItemsQuery, processDue } from '../../../../shared/lists/process-items.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { find } from '../reading/reading.ts';
import { viewCountCondition } from '../record/access-state.ts';
import { deleteScheduledEnd, expiryIndex } from '../record/expiry-schedule.ts';
import { shareKeys } from '../record/keys.ts';
import { deleteRevisions } from '../record/revisions.ts';
import {
  contentRetentionMs,
  type FoundShare,
  getEnd,
  hasEnded,
  tombstoneRetentionMs,
} from '../record/share.ts';
import { deleteShare } from './delete.ts';
import { endNotificationSteps } from './notify.ts';

const toIso = (ms: number): string => new Date(ms).toISOString();

const isMissing = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'NOT_FOUND';

const retryNotification = retryOnConflict('Deliveries are in progress. Try again.', 4);

/** Turns the share into a tombstone and notifies its owner, unless it was updated or viewed since it was read. */
const writeTombstone = (found: FoundShare, end: number): Promise<true> => {
  const { share, access } = found;
  const { id, version, texts } = share;
  const tombstone = {
    endedAt: toIso(end),
    version: version + 1,
    texts: undefined,
    hasRevisions: undefined,
    description: undefined,
    password: undefined,
  };
  const unlocked = {
    passwordId: undefined,
    ...expiryIndex.tombstone(toIso(end + tombstoneRetentionMs), id),
  };
  return retryNotification(async () => {
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
      ...(await endNotificationSteps(found)),
    ]);
    return refused?.by === 'newerNotification' ? undefined : true;
  });
};

/**
 * Deletes the content of a share that ended 120 s ago or earlier; a tombstone stays. Any other share is left as it is,
 * so that repeated calls are safe.
 */
export const purgeEndedShare = async (id: string): Promise<void> => {
  try {
    const found = await find(id);
    const end = getEnd(found);
    if (found.share.endedAt !== undefined || end === undefined || !hasEnded(found)) return;
    if (end + contentRetentionMs > Date.now()) return;
    if (found.share.hasRevisions) await deleteRevisions(id);
    await writeTombstone(found, end);
  } catch (error) {
    // The share was deleted concurrently.
    if (!isMissing(error)) throw error;
  }
};

/** Returns the share id of an index entry. */
const parseId = ({ gsi1sk }: ListKey): string => String(gsi1sk).split('#')[1] ?? '';

/** Deletes the content of all ended shares that are due. */
export const purgeEndedShares = (): Promise<void> =>
  processDue(
    dueItemsQuery(shareKeys.ends.partition().pk, Date.now() - contentRetentionMs),
    (item) => purgeEndedShare(parseId(item)),
  );

/** Deletes expired tombstones. */
export const deleteTombstones = (): Promise<void> =>
  processDue(dueItemsQuery(shareKeys.tombstones.partition().pk, Date.now()), (item) =>
    deleteShare(parseId(item), () => undefined).catch((error) => {
      // The index is eventually consistent and may contain deleted shares.
      if (!isMissing(error)) throw error;
    }),
  );
