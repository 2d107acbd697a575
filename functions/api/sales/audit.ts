import { type AuditedChange, changedFields } from '../../../shared/audit/audit-log.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/** What the audit calls a sale. */
const auditSubject = (id: number): string => `sale:${id}`;

/** The id of the sale that the audit calls so. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

const shown = [
  'amount',
  'cost',
  'currency',
  'customer',
  'category',
  'soldAt',
  'externalId',
  'refundedAt',
] as const;

/** Amounts in major units, as the API shows them. */
const inMajor = (sale: StoredSale | undefined): Partial<StoredSale> =>
  sale
    ? {
        ...sale,
        amount: toMajor(sale.amount, sale.currency),
        cost: toMajor(sale.cost, sale.currency),
      }
    : {};

/** What the audit keeps of a sale that goes from `before` to `after`: the fields that differ. */
export const diffForAudit = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
): AuditedChange => {
  const changed = changedFields(inMajor(before), inMajor(after), shown);
  return {
    subject: auditSubject((before ?? after)?.id ?? 0),
    ...(before && { before: changed.before }),
    ...(after && { after: changed.after }),
  };
};
