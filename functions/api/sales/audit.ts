import { type AuditedChange, changedFields } from '../../../shared/audit/audit-log.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/** Returns the audit log's name of a sale. */
const auditSubject = (id: number): string => `sale:${id}`;

/** Returns the id of the sale with this name in the audit log. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** The fields that are logged. */
const auditedFields = [
  'amount',
  'cost',
  'currency',
  'customer',
  'category',
  'soldAt',
  'externalId',
  'refundedAt',
] as const;

/** Converts the amounts to major units, as in the API. */
const withMajorUnits = (sale: StoredSale | undefined): Partial<StoredSale> =>
  sale
    ? {
        ...sale,
        amount: toMajor(sale.amount, sale.currency),
        cost: toMajor(sale.cost, sale.currency),
      }
    : {};

/** Returns the fields that differ between two versions of a sale, for the audit log. */
export const diffForAudit = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
): AuditedChange => {
  const changed = changedFields(withMajorUnits(before), withMajorUnits(after), auditedFields);
  return {
    subject: auditSubject((before ?? after)?.id ?? 0),
    ...(before && { before: changed.before }),
    ...(after && { after: changed.after }),
  };
};
