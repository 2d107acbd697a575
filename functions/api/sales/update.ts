import type { ChangeRecorder } from '../../../shared/audit/audit-log.ts';
import { nextVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/content/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { createRetry } from '../../../shared/runtime/retry.ts';
import type { SaleFields, StoredSale } from './sale.ts';
import { listDifferences, read, write } from './sales.ts';

const retryOnConflict = createRetry('The sale is being modified. Try again.');

/** Writes what `toAfter` returns for the current sale, unless that is the same sale. */
const change = (
  id: number,
  toAfter: (current: StoredSale) => StoredSale,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredSale> =>
  retryOnConflict(async () => {
    const current = await read(id);
    assertVersion(ifMatch, current.version);
    const after = toAfter(current);
    if (after === current) return current;
    return (await write(current, after, recorder)) ? undefined : after;
  });

/**
 * Updates a sale and all totals. `edit` returns the changes to the current sale. Writes nothing if nothing changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for a 101st category; errors of `edit`
 */
export const update = (
  id: number,
  edit: (sale: StoredSale) => SaleFields,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredSale> => {
  const toAfter = (current: StoredSale): StoredSale => {
    const after = nextVersion(current, edit(current));
    return listDifferences(current, after).length === 0 ? current : after;
  };
  return change(id, toAfter, ifMatch, recorder);
};

/**
 * Refunds a sale in full and removes it from all totals. It stays in the lists.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if it is already refunded
 */
export const refund = (
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<StoredSale> => {
  const toAfter = (current: StoredSale): StoredSale => {
    if (current.refundedAt === undefined) {
      return nextVersion(current, { refundedAt: new Date().toISOString() });
    }
    throw new AppError('CONFLICT', `This sale was already refunded at ${current.refundedAt}.`);
  };
  return change(id, toAfter, ifMatch, recorder);
};

/**
 * Deletes a sale from the lists and, unless it was refunded, from all totals. Its external id can be used again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  id: number,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<void> => {
  await retryOnConflict(async () => {
    const current = await read(id);
    assertVersion(ifMatch, current.version);
    return (await write(current, undefined, recorder)) ? undefined : true;
  });
};
