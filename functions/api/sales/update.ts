import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { nextVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import type { SaleFields, StoredSale } from './sale.ts';
import { listDifferences, read, write } from './sales.ts';

const retryOnChange = retryOnConflict('The sale is being modified. Try again.');

/**
 * Updates a sale and all totals. `edit` returns the changes to the current sale. Writes nothing if nothing changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for a 101st category; errors of `edit`
 */
export const update = (
  id: number,
  edit: (sale: StoredSale) => SaleFields,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredSale> =>
  retryOnChange(async () => {
    const current = await read(id);
    assertVersion(ifMatch, current.version);
    const after = nextVersion(current, edit(current));
    if (listDifferences(current, after).length === 0) return current;
    return (await write(current, after, audit)) ? undefined : after;
  });

/**
 * Refunds a sale in full and removes it from all totals. It stays in the lists.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT if it is already refunded
 */
export const refund = (
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredSale> =>
  retryOnChange(async () => {
    const current = await read(id);
    assertVersion(ifMatch, current.version);
    if (current.refundedAt !== undefined) {
      throw new AppError('CONFLICT', `This sale was already refunded at ${current.refundedAt}.`);
    }
    const after = nextVersion(current, { refundedAt: new Date().toISOString() });
    return (await write(current, after, audit)) ? undefined : after;
  });

/**
 * Deletes a sale from the lists and, unless it was refunded, from all totals. Its external id can be used again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await retryOnChange(async () => {
    const current = await read(id);
    assertVersion(ifMatch, current.version);
    return (await write(current, undefined, audit)) ? undefined : true;
  });
};
