import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { updateFields, versionCondition } from '../../../../shared/db/field-update.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { loadShare } from '../reading/load.ts';
import { reopenAccessWrite } from '../record/access-state.ts';
import { auditedShare } from '../record/audit.ts';
import { shareKeys } from '../record/keys.ts';
import {
  assertOpen,
  contentRetentionMs,
  endedError,
  type FoundShare,
  retryOnConflict,
  type StoredShare,
} from '../record/share.ts';

/** How long an end can be taken back: by then, nothing has begun to delete the content. ms. */
const reopenMs = contentRetentionMs / 2;

/** Whether the owner ended the share a short time ago, and nothing else has. */
const canReopen = ({ share: { closedAt, closedBy }, access }: FoundShare): boolean =>
  closedAt !== undefined &&
  closedBy === 'owner' &&
  access.endedAt === closedAt &&
  Date.parse(closedAt) + reopenMs > Date.now();

/**
 * Reopens a share that its owner has just ended, with its limits and views as they were; an open one stays as it is. `check`
 * receives the current share and may throw.
 * @throws AppError GONE if it can't be reopened (any more), or was taken down; NOT_FOUND, and what `check` throws
 */
export const reopenShare = (
  id: string,
  check: (share: StoredShare) => void | Promise<void>,
  recorder: ChangeRecorder,
): Promise<FoundShare> =>
  retryOnConflict(async () => {
    const found = await loadShare(id);
    await check(found.share);
    const { closedAt, closedBy: _, ...share } = found.share;
    const { endedAt, ...access } = found.access;
    if (closedAt === undefined) {
      assertOpen(found);
      return found;
    }
    if (!canReopen(found)) throw endedError();
    const reopened = { share: { ...share, version: share.version + 1 }, access };
    // What else ends it may have come since.
    assertOpen(reopened);
    const fields = {
      closedAt: undefined,
      closedBy: undefined,
      version: reopened.share.version,
    };
    const refused = await transact([
      {
        write: updateFields(shareKeys.record.at({ id }), fields, versionCondition(share.version)),
        refused: 'changed',
      },
      { write: reopenAccessWrite(id, closedAt), refused: 'changed' },
      ...recorder.steps({ ...auditedShare(found.share), before: { endedAt } }),
    ]);
    return refused ? undefined : reopened;
  });
