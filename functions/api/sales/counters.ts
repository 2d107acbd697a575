import {
  type Count,
  type CountChange,
  type Counted,
  count,
  defineCounter,
  type Guard,
} from '../../../shared/counters/counter.ts';
import { getMonth } from '../../../shared/counters/months.ts';
import { inTotal, totals } from '../../../shared/counters/total.ts';
import { saleKeys } from './keys.ts';
import type { StoredSale } from './sale.ts';

/*
 * Totals of sales: of all, of each month and of each category, without refunded sales. Each total has eight counters,
 * because concurrent transactions on one item conflict. All counters of a shard are in one partition, so reading a year of
 * months takes eight small queries. Each CURRENCY has its own totals.
 */

export const shards = 8;

/** The stored name for sales without a category; no category is empty. */
const uncategorized = '';

const ofAll = defineCounter({
  family: saleKeys.totals,
  shards,
  describe: ({ currency }) => `sales in ${currency}`,
});

const ofMonth = defineCounter({
  family: saleKeys.monthlyTotals,
  shards,
  describe: ({ currency, month }) => `sales in ${currency} of ${month}`,
});

const ofCategory = defineCounter({
  family: saleKeys.categoryTotals,
  shards,
  describe: ({ currency, category }) =>
    `sales in ${currency} of the category ${category || '(none)'}`,
});

/** Lists what a sale adds to counters, in minor units. */
export const getCounts = (sale: StoredSale | undefined): Count[] => {
  if (!sale) return [];
  const { amount, cost, currency, soldAt, category = uncategorized, refundedAt } = sale;
  const add = { sales: amount, profit: amount - cost, orders: 1 };
  const sums = [
    count(ofAll, { currency }, add),
    count(ofMonth, { currency, month: getMonth(soldAt) }, add),
    count(ofCategory, { currency, category }, add),
  ];
  return [...(refundedAt === undefined ? sums : []), inTotal('sales')];
};

/** Returns the condition that the counter of a category that a sale enters exists in the shard. */
export const guardCategory = ({
  counter,
  parts,
  add,
}: CountChange): Guard<'newCategory'> | undefined =>
  counter === ofCategory &&
  (add['orders'] ?? 0) > 0 &&
  !('category' in parts && parts.category === uncategorized)
    ? { condition: 'attribute_exists(pk)', refused: 'newCategory' }
    : undefined;

export const counted: readonly Counted[] = [
  { record: saleKeys.record, counters: [totals, ofAll, ofMonth, ofCategory], of: getCounts },
];
