import { type Done, difference } from '../../../shared/audit/audit-log.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/** What the audit calls a sale. */
const subjectOf = (id: number): string => `sale:${id}`;

/** The id of the sale that the audit calls so. */
export const idOf = (subject: string): number => Number(subject.slice(subjectOf(0).length - 1));

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
export const audited = (before: StoredSale | undefined, after: StoredSale | undefined): Done => {
  const changed = difference(inMajor(before), inMajor(after), shown);
  return {
    subject: subjectOf((before ?? after)?.id ?? 0),
    ...(before && { before: changed.before }),
    ...(after && { after: changed.after }),
  };
};
