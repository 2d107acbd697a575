import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import {
  changesStep,
  exportNotFound,
  readExports,
  removeSteps,
} from '../../../../shared/exports/export-store.ts';
import { createRetry } from '../../../../shared/runtime/retry.ts';

const retryOnConflict = createRetry('The export changed concurrently. Try again.');

/**
 * Deletes an export of a user, and its file. One that waits is never made; what is being made for one that runs is discarded.
 * Whoever ends their own data before it is begun can ask for it again at once.
 * @throws AppError NOT_FOUND
 */
export const removeExport = (userId: number, id: number, recorder: ChangeRecorder): Promise<true> =>
  retryOnConflict(async () => {
    const { exports, changes } = await readExports(userId);
    const found = exports.find((one) => one.id === id);
    if (!found) throw exportNotFound();
    const { kind, format, status, tries } = found;
    const isUnbegun = kind === 'own-data' && status === 'waiting' && tries === 0;
    const refused = await transact([
      changesStep(userId, changes, isUnbegun ? undefined : changes.ownDataAt),
      ...removeSteps(found),
      ...recorder.steps({ subject: `export:${id}`, before: { kind, format, status } }),
    ]);
    return refused ? undefined : true;
  });
