import { randomInt } from 'node:crypto';
import { getMonth, listLastMonths } from '../../../shared/counters/months.ts';
import { tableName } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { queryMatches } from '../../../shared/lists/pagination.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { toMajor } from './money.ts';
import type { StoredSale } from './sale.ts';

/*
 * Sums of sales, moved in the transaction that records, changes, refunds or removes one: of all, of its month, of its
 * category. What was refunded is in none of them. Each is kept in eight
 * counters, because transactions on one item collide. The counters of a shard lie in one partition, so that a year of
 * months is eight small queries. A currency has sums of its own: another CURRENCY begins new ones.
 */

const shards = 8;

/** So many categories the sales of a currency can have: what a chart of them reads is bounded by it. */
export const maxCategories = 100;

/** The most months that can be asked for at once. */
export const maxMonths = 36;

/** Sums in major units of CURRENCY: what was sold, that less the costs, and how many sales there were. */
export interface SalesSums {
  readonly sales: number;
  readonly profit: number;
  readonly orders: number;
}

/** The sums of a month (UTC), such as `2026-11`. */
export interface MonthlySales extends SalesSums {
  readonly month: string;
}

/** The sums of a category; `null` are the sales without one. */
export interface CategoryOfSales extends SalesSums {
  readonly category: string | null;
}

/** A category can't be empty, so that this is none's name. */
const uncategorized = '';

/** What a sale adds to each of its sums, in minor units. */
interface Addends {
  readonly sales: number;
  readonly profit: number;
  readonly orders: number;
}

const nothing: Addends = { sales: 0, profit: 0, orders: 0 };

const listContributions = (sale: StoredSale | undefined): Addends =>
  sale ? { sales: sale.amount, profit: sale.amount - sale.cost, orders: 1 } : nothing;

const less = (one: Addends, other: Addends): Addends => ({
  sales: one.sales - other.sales,
  profit: one.profit - other.profit,
  orders: one.orders - other.orders,
});

const add = (key: Key, { sales, profit, orders }: Addends, mustExist = false): Write => ({
  Update: {
    TableName: tableName(),
    Key: key,
    UpdateExpression: 'ADD sales :sales, profit :profit, orders :orders',
    ...(mustExist && { ConditionExpression: 'attribute_exists(pk)' }),
    ExpressionAttributeValues: { ':sales': sales, ':profit': profit, ':orders': orders },
  },
});

const addCategory = (currency: string, category: string): Write => ({
  Update: {
    TableName: tableName(),
    Key: keys.saleCategories(currency),
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

/** Which of the counters are moved, and whether a category is new to them. */
export interface CountersChoice {
  readonly shard: number;
  readonly isNew: boolean;
}

/** The same shard for all sums: whose transactions share none of their items wait for none. */
export const chooseCounters = (): CountersChoice => ({ shard: randomInt(shards), isNew: false });

/** The writes of the counter that a sale leaves and of the one that it enters, which are one where it stays. */
const moved = (
  keyOf: (sale: StoredSale) => Key,
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  mustExist = false,
): { readonly left?: Write; readonly entered?: Write } => {
  const [from, to] = [before && keyOf(before), after && keyOf(after)];
  const [old, fresh] = [listContributions(before), listContributions(after)];
  if (from && to && from.pk === to.pk && from.sk === to.sk) {
    const delta = less(fresh, old);
    return Object.values(delta).every((one) => one === 0) ? {} : { entered: add(to, delta) };
  }
  return {
    ...(from && { left: add(from, less(nothing, old)) }),
    ...(to && { entered: add(to, fresh, mustExist) }),
  };
};

const omitRefunded = (sale: StoredSale | undefined): StoredSale | undefined =>
  sale?.refundedAt === undefined ? sale : undefined;

/**
 * The writes that move the sums as a sale goes from `before` to `after`, for the transaction that does so. `sumsOfCategory`
 * fails where these counters have none of the category that it enters: then the same counters with `isNew` get it, and
 * `categories` fails where there are too many.
 */
export const salesTotalWrites = (
  before: StoredSale | undefined,
  after: StoredSale | undefined,
  { shard, isNew }: CountersChoice,
) => {
  const [old, fresh] = [omitRefunded(before), omitRefunded(after)];
  const category = fresh?.category ?? uncategorized;
  const mustExist = category !== uncategorized && !isNew;
  const all = moved(({ currency }) => keys.allSales(currency, shard), old, fresh);
  const ofMonth = moved(
    ({ currency, soldAt }) => keys.monthlyTotals(currency, getMonth(soldAt), shard),
    old,
    fresh,
  );
  const ofCategory = moved(
    (sale) => keys.categoryTotals(sale.currency, sale.category ?? uncategorized, shard),
    old,
    fresh,
    mustExist,
  );
  return {
    sums: all.left ?? all.entered,
    monthLeft: ofMonth.left,
    sumsOfMonth: ofMonth.entered,
    categoryLeft: ofCategory.left,
    sumsOfCategory: ofCategory.entered,
    categories: isNew && fresh ? addCategory(fresh.currency, category) : undefined,
  };
};

/** A sum past 2^53 is read as a BigInt. */
interface Counters {
  readonly sales: bigint;
  readonly profit: bigint;
  readonly orders: bigint;
}

const none: Counters = { sales: 0n, profit: 0n, orders: 0n };

const sumUp = (counters: Counters, item: Record<string, unknown>): Counters => {
  const of = (name: keyof Counters) => counters[name] + BigInt((item[name] ?? 0) as number);
  return { sales: of('sales'), profit: of('profit'), orders: of('orders') };
};

const shown = ({ sales, profit, orders }: Counters, currency: string): SalesSums => ({
  sales: toMajor(sales, currency),
  profit: toMajor(profit, currency),
  orders: Number(orders),
});

/** The sums of each sort key of the counters between two, with all shards added up; strongly consistent. */
const readSums = async (
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
            ':pk': keys.allSales(currency, shard).pk,
            ':from': from,
            ':to': to,
          },
          ConsistentRead: true,
        },
        { matches: maxCategories + 1, scanned: maxCategories + 1 },
      ),
    ),
  );
  const sums = new Map<string, Counters>();
  for (const item of read.flatMap(({ items }) => items)) {
    const name = String(item['sk']);
    sums.set(name, sumUp(sums.get(name) ?? none, item));
  }
  return sums;
};

/**
 * The sums of the last months (UTC) by when they were sold, the oldest first and the current one last, zeros where nothing
 * was sold. From 1 to 36 months; eight small queries at once, whatever the number of sales.
 */
export const getMonthlySales = async (months: number): Promise<MonthlySales[]> => {
  const currency = getSetting('CURRENCY');
  const wanted = listLastMonths(Math.min(Math.max(months, 1), maxMonths));
  const nameOf = (month: string) => keys.monthlyTotals(currency, month, 0).sk;
  const sums = await readSums(currency, nameOf(wanted[0] ?? ''), nameOf(wanted.at(-1) ?? ''));
  return wanted.map((month) => ({ month, ...shown(sums.get(nameOf(month)) ?? none, currency) }));
};

/**
 * The sums of every category, of all time, the one that sold most first; at most 101 with the sales that have none.
 * Eight queries at once, whatever the number of sales.
 */
export const getCategoryTotals = async (): Promise<CategoryOfSales[]> => {
  const currency = getSetting('CURRENCY');
  const prefix = keys.categoryTotals(currency, '', 0).sk;
  // `$` is the character after `#`.
  const sums = await readSums(currency, prefix, prefix.replace('#', '$'));
  return [...sums]
    .map(([name, counters]) => ({
      category: name.slice(prefix.length) || null,
      ...shown(counters, currency),
    }))
    .sort((a, b) => b.sales - a.sales || b.orders - a.orders);
};

/** The sums of all sales in CURRENCY; eight small queries at once, whatever their number. */
export const getSalesTotal = async (): Promise<SalesSums> => {
  const currency = getSetting('CURRENCY');
  const { sk } = keys.allSales(currency, 0);
  return shown((await readSums(currency, sk, sk)).get(sk) ?? none, currency);
};
