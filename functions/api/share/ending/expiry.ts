import { isVersion, updateFields } from '../../../../shared/db/field-update.ts';
import { keys } from '../../../../shared/db/table.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import type { ListKey } from '../../../../shared/lists/pagination.ts';
import { dueBefore, workOff } from '../../../../shared/lists/process-items.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { retrying } from '../../../../shared/runtime/retry.ts';
import { removeTexts } from '../../../../shared/storage/stored-text.ts';
import { find } from '../reading/reading.ts';
import { areViews } from '../record/access-state.ts';
import { ends, forgetEnd } from '../record/expiry-schedule.ts';
import { endOf, type FoundShare, hasEnded, keptAfterEndMs, tombstoneMs } from '../record/share.ts';
import { removeShare } from './delete.ts';
import { noticeOfEnd } from './notify.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

const isMissing = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'NOT_FOUND';

const untilTold = retrying('The owner is told of too much at once: try again', 4);

/** Makes the share a tombstone and tells its owner, unless the share was changed or viewed since it was seen. */
const bury = (found: FoundShare, end: number): Promise<true> => {
  const { share, gate } = found;
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
      share: updateFields(keys.share(id), tombstone, isVersion(version)),
      gate: updateFields(keys.shareViews(id), unlocked, areViews(gate.views)),
      end: forgetEnd(share),
      ...(texts && removeTexts(keys.shareTexts(id), texts)),
      ...(await noticeOfEnd(found)),
    });
    // What else can fail is the notice, where the owner was told of something else meanwhile.
    return !failed || failed.share || failed.gate ? true : undefined;
  });
};

/**
 * Deletes the content of a share that ended 120 s ago or earlier; a tombstone stays. Any other share is left as it is,
 * so that this can be asked for at any time and more than once.
 */
export const endShare = async (id: string): Promise<void> => {
  try {
    const found = await find(id);
    const end = endOf(found);
    if (found.share.endedAt !== undefined || end === undefined || !hasEnded(found)) return;
    if (end + keptAfterEndMs <= Date.now()) await bury(found, end);
  } catch (error) {
    // Deleted meanwhile: there is nothing to end.
    if (!isMissing(error)) throw error;
  }
};

/** The share that stands at this place in the index. */
const idAt = ({ gsi1sk }: ListKey): string => String(gsi1sk).split('#')[1] ?? '';

/** Deletes the content of the shares that have ended. */
export const endShares = (): Promise<void> =>
  workOff(dueBefore(keys.shareEnds('', '').pk, Date.now() - keptAfterEndMs), (item) =>
    endShare(idAt(item)),
  );

/** Forgets the tombstones whose time is over. */
export const forgetTombstones = (): Promise<void> =>
  workOff(dueBefore(keys.shareTombstones('', '').pk, Date.now()), (item) =>
    removeShare(idAt(item), () => undefined).catch((error) => {
      // The index lags: it may name what is gone.
      if (!isMissing(error)) throw error;
    }),
  );
