import { queryItems } from '../../shared/db/query.ts';
import { transact } from '../../shared/db/transaction.ts';
import { isOpen, type StoredExport } from '../../shared/exports/export-record.ts';
import { findExport, removeDueWrite } from '../../shared/exports/export-store.ts';
import { exportKeys } from '../../shared/exports/keys.ts';
import { withLease } from '../../shared/jobs/lease.ts';
import { getTimeLeft } from '../../shared/runtime/time-left.ts';
import { exportMs, makeExport } from './make.ts';

/** An export that follows another in one call has at least this time left (ms); one that was tried before has all of it. */
const leastMs = (2 / 3) * exportMs;

/** The most exports of one call. */
const maxExports = 100;

/** Finds the export that is due first. Entries whose exports are gone or done are removed. */
const findFirst = async (): Promise<StoredExport | undefined> => {
  const now = new Date(Date.now() + 1).toISOString();
  const { pk } = exportKeys.due.partition();
  for (let examined = 0; examined < maxExports; examined++) {
    const [item] = await queryItems(
      {
        KeyConditionExpression: 'pk = :pk AND sk < :now',
        ExpressionAttributeValues: { ':pk': pk, ':now': now },
        ConsistentRead: true,
      },
      1,
      undefined,
    );
    if (!item) return undefined;
    const due = exportKeys.due.read({ pk, sk: String(item['sk']) });
    if (!due) throw new Error('An entry of the list of exports has a key of another kind');
    const found = await findExport(due.userId, due.id);
    if (found && isOpen(found) && found.dueAt === due.at) return found;
    await transact([removeDueWrite(due)]);
  }
  return undefined;
};

/** Makes what is due, one after another, oldest first, as long as there is time for another. */
const makeAll = async (): Promise<void> => {
  for (let made = 0; made < maxExports; made++) {
    if (made > 0 && getTimeLeft() < leastMs) return;
    const next = await findFirst();
    if (!next || (made > 0 && next.tries > 0)) return;
    await makeExport(next);
  }
};

/**
 * Makes the exports that are due, unless another call does: one at once in the whole service, which bounds what it takes of
 * the table and costs.
 */
export const makeDueExports = async (): Promise<void> => {
  await withLease('exports', makeAll, exportMs);
};
