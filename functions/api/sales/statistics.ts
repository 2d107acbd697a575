import { randomInt } from 'node:crypto';
import { getMonth, listLastMonths } from '../../../shared/counters/months.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import type { Key } from '../../../shared/db/key.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { queryMatches } from '../../../shared/lists/pagination.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { saleKeys } from './keys.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/*
 * Totals of sales: of all, of each month and of each category, without refunded sales. The transaction that writes a sale
 * updates them. Each total has eight counters, because concurrent transactions on one item conflict. All counters of a
 * shard are in one partition, so reading a year of months takes eight small queries. Each CURRENCY has its own totals.
 */

const shards = 8;

/** The number of categories per currency; it limits what a chart reads. */
export const maxCategories = 100;

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

/** The stored name for sales without a category; no category is empty. */
const uncategorized = '';

/** What a sale adds to each of its totals, in minor units. */
interface Contributions {
  readonly sales: number;
  readonly profit: number;
  readonly orders: number;
}

const nothing: Contributions = { sales: 0, profit: 0, orders: 0 };

const getContributions = (sale: StoredSale | undefined): Contributions =>
  sale ? { sales: sale.amount, profit: sale.amount - sale.cost, orders: 1 } : nothing;

const subtract = (one: Contributions, other: Contributions): Contributions => ({
  sales: one.sales - other.sales,
  profit: one.profit - other.profit,
  orders: one.orders - other.orders,
});

const addWrite = (
  key: Key,
  { sales, profit, orders }: Contributions,
  mustExist = false,
): Write => ({
  Update: {
    TableName: tableName(),
    Key: key,
    UpdateExpression: 'ADD sales :sales, profit :profit, orders :orders',
    ...(mustExist && { ConditionExpression: 'attribute_exists(pk)' }),
    ExpressionAttributeValues: { ':sales': sales, ':profit': profit, ':orders': orders },
  },
});

const addCategoryWrite = (currency: string, category: string): Write => ({
  Update: {
    TableName: tableName(),
    Key: saleKeys.categories.at({ currency }),
    UpdateExpression: 'ADD #names :names',
    ConditionExpression:
      'attribute_not_exists(#names) OR contains(#names, :name) OR size(#names) < :max',
    ExpressionAttributeNames: { '#names': 'names' },
    ExpressionAttributeValues: {
      ':names': new Set([category]),
      ':name': category,
      ':max': maxCategories,
    },
  },
});

/** The shard of the counters to update, and whether their category is new. */
export interface CounterSelection {
  readonly shard: number;
  readonly isNew: boolean;
}

/** Selects one shard for all totals, so that transactions of different shards share no items. */
export const selectCounters = (): CounterSelection => ({ shard: randomInt(shards), isNew: false });

/** Creates the writes of the counters that a sale leaves and enters; a single one if they are the same. */
const createMoveWrites = (
  getKey: (sale: StoredSale) => Key,
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  mustExist = false,
): { readonly left?: Write; readonly entered?: Write } => {
  const [from, to] = [before && getKey(before), after && getKey(after)];
  const [oldPart, newPart] = [getContributions(before), getContributions(after)];
  if (from && to && from.pk === to.pk && from.sk === to.sk) {
    const delta = subtract(newPart, oldPart);
    return Object.values(delta).every((one) => one === 0) ? {} : { entered: addWrite(to, delta) };
  }
  return {
    ...(from && { left: addWrite(from, subtract(nothing, oldPart)) }),
    ...(to && { entered: addWrite(to, newPart, mustExist) }),
  };
};

const omitRefunded = (sale: StoredSale | undefined): StoredSale | undefined =>
  sale?.refundedAt === undefined ? sale : undefined;

/**
 * Creates the writes that update the totals for a change of a sale, for the transaction of that change. `categoryTotals`
 * fails if the shard has no counter of the new category; with `isNew` it is created, and `categories` fails beyond the
 * limit of categories.
 */
export const salesTotalWrites = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  { shard, isNew }: CounterSelection,
) => {
  const [counted, next] = [omitRefunded(before), omitRefunded(after)];
  const category = next?.category ?? uncategorized;
  const mustExist = category !== uncategorized && !isNew;
  const all = createMoveWrites(
    ({ currency }) => saleKeys.totals.at({ currency, shard }),
    counted,
    next,
  );
  const ofMonth = createMoveWrites(
    ({ currency, soldAt }) =>
      saleKeys.monthlyTotals.at({ currency, month: getMonth(soldAt), shard }),
    counted,
    next,
  );
  const ofCategory = createMoveWrites(
    (sale) =>
      saleKeys.categoryTotals.at({
        currency: sale.currency,
        category: sale.category ?? uncategorized,
        shard,
      }),
    counted,
    next,
    mustExist,
  );
  return {
    allTotals: all.left ?? all.entered,
    monthLeft: ofMonth.left,
    monthTotals: ofMonth.entered,
    categoryLeft: ofCategory.left,
    categoryTotals: ofCategory.entered,
    categories: isNew && next ? addCategoryWrite(next.currency, category) : undefined,
  };
};

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
        { matches: maxCategories + 1, scanned: maxCategories + 1 },
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
export const getMonthlySales = async (months: number): Promise<MonthlySales[]> => {
  const currency = getSetting('CURRENCY');
  const wanted = listLastMonths(Math.min(Math.max(months, 1), maxMonths));
  const getSortKey = (month: string) => saleKeys.monthlyTotals.at({ currency, month, shard: 0 }).sk;
  const totals = await readTotals(
    currency,
    getSortKey(wanted[0] ?? ''),
    getSortKey(wanted.at(-1) ?? ''),
  );
  return wanted.map((month) => ({
    month,
    ...toTotals(totals.get(getSortKey(month)) ?? none, currency),
  }));
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
export const getSalesTotal = async (): Promise<SalesTotals> => {
  const currency = getSetting('CURRENCY');
  const { sk } = saleKeys.totals.at({ currency, shard: 0 });
  return toTotals((await readTotals(currency, sk, sk)).get(sk) ?? none, currency);
};
