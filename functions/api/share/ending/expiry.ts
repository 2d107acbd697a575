import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import { dueItemsQuery, processDue } from '../../../../shared/lists/process-items.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../../shared/runtime/retry.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { find } from '../reading/reading.ts';
import { areViews } from '../record/access-state.ts';
import { deleteScheduledEnd, ends } from '../record/expiry-schedule.ts';
import { type FoundShare, getEnd, hasEnded, keptAfterEndMs, tombstoneMs } from '../record/share.ts';
import { removeShare } from './delete.ts';
import { endNotification } from './notify.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const isMissing = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'NOT_FOUND';

const untilTold = retryOnConflict('The owner is told of too much at once: try again', 4);

/** Makes the share a tombstone and tells its owner, unless the share was changed or viewed since it was seen. */
const writeTombstone = (found: FoundShare, end: number): Promise<true> => {
  const { share, gate: access } = found;
  const { id, version, texts } = share;
  const tombstone = {
    endedAt: iso(end),
    version: version + 1,
    texts: undefined,
    description: undefined,
    password: undefined,
  };
  const unlocked = { passwordId: undefined, ...ends.forgotten(iso(end + tombstoneMs), id) };
  return untilTold(async () => {
    const failed = await transact({
      share: updateFields(keys.share(id), tombstone, versionCondition(version)),
      gate: updateFields(keys.shareAccess(id), unlocked, areViews(access.views)),
      end: deleteScheduledEnd(share),
      ...(texts && removeTexts(keys.shareContent(id), texts)),
      ...(await endNotification(found)),
    });
    // What else can fail is the notice, where the owner was told of something else meanwhile.
    return !failed || failed.share || failed.gate ? true : undefined;
  });
};

/**
 * Deletes the content of a share that ended 120 s ago or earlier; a tombstone stays. Any other share is left as it is,
 * so that this can be asked for at any time and more than once.
 */
export const purgeEndedShare = async (id: string): Promise<void> => {
  try {
    const found = await find(id);
    const end = getEnd(found);
    if (found.share.endedAt !== undefined || end === undefined || !hasEnded(found)) return;
    if (end + keptAfterEndMs <= Date.now()) await writeTombstone(found, end);
  } catch (error) {
    // Deleted meanwhile: there is nothing to end.
    if (!isMissing(error)) throw error;
  }
};

/** The share that stands at this place in the index. */
const getId = ({ gsi1sk }: ListKey): string => String(gsi1sk).split('#')[1] ?? '';

/** Deletes the content of the shares that have ended. */
export const endShares = (): Promise<void> =>
  processDue(dueItemsQuery(keys.shareEnds('', '').pk, Date.now() - keptAfterEndMs), (item) =>
    purgeEndedShare(getId(item)),
  );

/** Forgets the tombstones whose time is over. */
export const deleteTombstones = (): Promise<void> =>
  processDue(dueItemsQuery(keys.shareTombstones('', '').pk, Date.now()), (item) =>
    removeShare(getId(item), () => undefined).catch((error) => {
      // The index lags: it may name what is gone.
      if (!isMissing(error)) throw error;
    }),
  );
