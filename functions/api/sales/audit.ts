import type { AuditedChange } from '../../../shared/audit/audit-log.ts';
import { diffRecord } from '../../../shared/audit/record-diff.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';
import { textFieldNames } from './text-fields.ts';

/** The fields that are logged. */
const auditedFields = [
  'amount',
  'cost',
  'currency',
  ...textFieldNames,
  'soldAt',
  'externalId',
  'refundedAt',
] as const;

/** Converts the amounts to major units, as in the API, and a day without a time to that day. */
const toAudited = (sale: StoredSale | undefined): StoredSale | undefined =>
  sale && {
    ...sale,
    amount: toMajor(sale.amount, sale.currency),
    cost: toMajor(sale.cost, sale.currency),
    soldAt: sale.day ?? sale.soldAt,
  };

/** Returns the audit entry of a change of a sale. */
export const diffForAudit = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
): AuditedChange =>
  diffRecord('sale', toAudited(before), toAudited(after), auditedFields, 'customer');
