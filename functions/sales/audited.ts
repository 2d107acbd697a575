import type { Done } from '../../shared/change.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/** What the audit calls a sale. */
const subjectOf = (id: number): string => `sale:${id}`;

/** The id of the sale that the audit calls so. */
export const idOf = (subject: string): number => Number(subject.slice(subjectOf(0).length - 1));

/** What the audit keeps of a sale that is recorded; amounts in major units, as the API shows them. */
export const audited = ({ id, amount, cost, createdAt, ...rest }: StoredSale): Done => ({
  subject: subjectOf(id),
  after: { amount: toMajor(amount, rest.currency), cost: toMajor(cost, rest.currency), ...rest },
});
