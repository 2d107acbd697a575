import { listLastMonths } from '../../../shared/counters/months.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { queryMatches } from '../../../shared/db/query.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { shards } from './counters.ts';
import { saleKeys } from './keys.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/** The number of categories per currency; it limits what a chart reads. */
export const maxCategories = 100;

/** Counters that one query reads at most: all that there are, also of months to come. */
const maxCounters = 10_000;

/** The number of months that one request can read. */
export const maxMonths = 36;

/** Totals in major units of CURRENCY: sales, profit (sales minus costs) and the number of sales. */
export interface SalesTotals {
  readonly sales: number;
  readonly profit: number;
  readonly orders: number;
}

/** The totals of a month (UTC), such as `2026-11`. */
export interface MonthlySales extends SalesTotals {
  readonly month: string;
}

/** The totals of a category; `null` stands for sales without one. */
export interface CategorySales extends SalesTotals {
  readonly category: string | null;
}

/** Creates the write that adds the name of a new category; it fails beyond the limit of categories. */
export const addCategoryWrite = ({ currency, category }: StoredSale): Write => ({
  Update: {
    TableName: tableName(),
    Key: saleKeys.categories.at({ currency }),
    UpdateExpression: 'ADD #names :names',
    ConditionExpression:
      'attribute_not_exists(#names) OR contains(#names, :name) OR size(#names) < :max',
    ExpressionAttributeNames: { '#names': 'names' },
    ExpressionAttributeValues: {
      ':names': new Set([category ?? '']),
      ':name': category ?? '',
      ':max': maxCategories,
    },
  },
});

/** Totals can exceed 2^53. */
interface Counters {
  readonly sales: bigint;
  readonly profit: bigint;
  readonly orders: bigint;
}

const none: Counters = { sales: 0n, profit: 0n, orders: 0n };

const addCounters = (counters: Counters, item: Record<string, unknown>): Counters => {
  const add = (name: keyof Counters) => counters[name] + BigInt((item[name] ?? 0) as number);
  return { sales: add('sales'), profit: add('profit'), orders: add('orders') };
};

const toTotals = ({ sales, profit, orders }: Counters, currency: string): SalesTotals => ({
  sales: toMajor(sales, currency),
  profit: toMajor(profit, currency),
  orders: Number(orders),
});

/** Reads the counters of a range of sort keys, summed over all shards; strongly consistent. */
const readTotals = async (
  currency: string,
  from: string,
  to: string,
): Promise<ReadonlyMap<string, Counters>> => {
  const read = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      queryMatches(
        {
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': saleKeys.totals.partition({ currency, shard }).pk,
            ':from': from,
            ':to': to,
          },
          ConsistentRead: true,
        },
        { matches: maxCounters, scanned: maxCounters },
      ),
    ),
  );
  const totals = new Map<string, Counters>();
  for (const item of read.flatMap(({ items }) => items)) {
    const name = String(item['sk']);
    totals.set(name, addCounters(totals.get(name) ?? none, item));
  }
  return totals;
};

/**
 * Returns the totals of the last 1 to 36 months (UTC), oldest first, with zeros for months without sales. Takes eight small
 * concurrent queries.
 */
export const getMonthlySales = async (months: number): Promise<MonthlySales[]> =>
  (await getMonthlySalesAndTotal(months)).months;

/** Returns the totals of the last months, as `getMonthlySales`, and of all sales, from the same queries. */
export const getMonthlySalesAndTotal = async (
  months: number,
): Promise<{ readonly months: MonthlySales[]; readonly total: SalesTotals }> => {
  const currency = getSetting('CURRENCY');
  const wanted = listLastMonths(Math.min(Math.max(months, 1), maxMonths));
  const getSortKey = (month: string) => saleKeys.monthlyTotals.at({ currency, month, shard: 0 }).sk;
  const totals = await readTotals(
    currency,
    getSortKey(wanted[0] ?? ''),
    // Sales may be of later months, too.
    saleKeys.totals.at({ currency, shard: 0 }).sk,
  );
  const toSums = (sk: string) => toTotals(totals.get(sk) ?? none, currency);
  return {
    months: wanted.map((month) => ({ month, ...toSums(getSortKey(month)) })),
    total: toSums(saleKeys.totals.at({ currency, shard: 0 }).sk),
  };
};

/**
 * Returns the totals of all categories, best-selling first; at most 101, including that of sales without a category. Takes
 * eight concurrent queries.
 */
export const getCategoryTotals = async (): Promise<CategorySales[]> => {
  const currency = getSetting('CURRENCY');
  const prefix = saleKeys.categoryTotals.prefix({ currency, shard: 0 }).sk;
  // `$` sorts directly after `#`.
  const totals = await readTotals(currency, prefix, prefix.replace('#', '$'));
  return [...totals]
    .map(([name, counters]) => ({
      category: name.slice(prefix.length) || null,
      ...toTotals(counters, currency),
    }))
    .sort((a, b) => b.sales - a.sales || b.orders - a.orders);
};

/** Returns the totals of all sales in CURRENCY. Takes eight small concurrent queries. */
export const getSalesTotal = async (): Promise<SalesTotals> =>
  (await getMonthlySalesAndTotal(1)).total;
