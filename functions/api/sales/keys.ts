import { indexFamily, keyFamily } from '../../../shared/db/key.ts';

export const saleKeys = {
  /** Sale. */
  record: keyFamily('SALE#{id:int}', 'SALE'),
  /** Unique external id. */
  byExternalId: keyFamily('SALE#EXTERNAL#{externalId:any}', 'SALE'),
  /** All sales by date of sale. */
  all: keyFamily('SALES', '{soldAt}#{id:id}'),
  /** Sales of a category. */
  byCategory: indexFamily('SALES#CATEGORY#{category:any}', '{soldAt}#{id:id}'),
  /** Sales of a customer. */
  byCustomer: indexFamily('SALES#CUSTOMER#{customer:any}', '{soldAt}#{id:id}'),
  /** Counter shard of sales in a currency, directly after those of its months. */
  totals: keyFamily('STATS#SALES#{currency}#{shard:int}', 'MONTHS'),
  /** Counter shard of those of a month (UTC). */
  monthlyTotals: keyFamily('STATS#SALES#{currency}#{shard:int}', 'MONTH#{month}'),
  /** Counter shard of those of a category. */
  categoryTotals: keyFamily('STATS#SALES#{currency}#{shard:int}', 'CATEGORY#{category:any}'),
  /** Names of the categories. */
  categories: keyFamily('STATS#SALES#{currency}', 'CATEGORIES'),
} as const;
