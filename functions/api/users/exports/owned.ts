import { startAt } from '../../../../shared/db/query.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { parseExport } from '../../../../shared/exports/export-record.ts';
import { removeSteps } from '../../../../shared/exports/export-store.ts';
import { exportKeys } from '../../../../shared/exports/keys.ts';
import { processItems } from '../../../../shared/lists/process-items.ts';
import type { OwnedRecords } from '../../../../shared/users/owned-records.ts';

/** A user's exports, which are never transferred. */
export const owned: OwnedRecords = {
  deleteOrTransfer: async (userId, bound) => {
    let isDone = true;
    const isAtEnd = await processItems(
      startAt(exportKeys.record.prefix({ userId })),
      async (items) => {
        for (const found of items.map(parseExport)) {
          // One that has changed meanwhile is found by the next attempt.
          if (await transact(removeSteps(found))) isDone = false;
        }
      },
      bound,
    );
    return isAtEnd && isDone;
  },
  mustDelete: ({ sk }) => String(sk).startsWith('EXPORT#'),
};
