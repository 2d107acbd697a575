import type { AuditRecorder } from '../../../shared/audit/audit-log.ts';
import { nextVersion } from '../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../shared/http/etag.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { retryOnConflict } from '../../../shared/runtime/retry.ts';
import type { SaleFields, StoredSale } from './sale.ts';
import { differences, read, write } from './sales.ts';

const untilDone = retryOnConflict('The sale is being modified. Try again.');

/**
 * Changes a sale to what `edit` makes of it, and all sums with it; what changes nothing is not written.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR when its category would be the 101st; what `edit` throws
 */
export const update = (
  id: number,
  edit: (sale: StoredSale) => SaleFields,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredSale> =>
  untilDone(async () => {
    const seen = await read(id);
    assertVersion(ifMatch, seen.version);
    const after = nextVersion(seen, edit(seen));
    if (differences(seen, after).length === 0) return seen;
    return (await write(seen, after, audit)) ? undefined : after;
  });

/**
 * Marks a sale as refunded in full, and takes it out of all sums. It stays in the lists.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT where it is refunded already
 */
export const refund = (
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredSale> =>
  untilDone(async () => {
    const seen = await read(id);
    assertVersion(ifMatch, seen.version);
    if (seen.refundedAt !== undefined) {
      throw new AppError('CONFLICT', `This sale was already refunded at ${seen.refundedAt}.`);
    }
    const after = nextVersion(seen, { refundedAt: new Date().toISOString() });
    return (await write(seen, after, audit)) ? undefined : after;
  });

/**
 * Removes a sale from the lists and, unless it was refunded, from all sums. Its external id is free again.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await untilDone(async () => {
    const seen = await read(id);
    assertVersion(ifMatch, seen.version);
    return (await write(seen, undefined, audit)) ? undefined : true;
  });
};
