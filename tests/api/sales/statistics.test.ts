import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewSale } from '../../../functions/api/sales/input.ts';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import { AmountError, maxMinor, toMajor, toMinor } from '../../../functions/api/sales/money.ts';
import { create } from '../../../functions/api/sales/sales.ts';
import {
  getCategoryTotals,
  getMonthlySales,
  getSalesTotal,
  maxCategories,
  maxMonths,
} from '../../../functions/api/sales/statistics.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { readTotal } from '../../../shared/counters/total.ts';
import { documentClient, tableName } from '../../../shared/db/dynamodb.ts';
import fc from '../../support/run/properties.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { type Fault, useFaults } from '../../support/table/lost-transactions.ts';
import { meterAws } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';

const now = Date.parse('2026-11-21T12:00:00.000Z');
useVirtualTime(new Date(now).toISOString());
useTable();
const fail = useFaults();

const change = systemRecorder('sale.test');
const currencies = Intl.supportedValuesOf('currency');
let currency: string;
/** Sums that nothing was added to. */
const newCurrency = (): void => {
  const withCents = (code: string) =>
    new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      .maximumFractionDigits === 2;
  do currency = currencies.shift() ?? '';
  while (!withCents(currency));
  vi.stubEnv('CURRENCY', currency);
};
beforeEach(() => {
  vi.setSystemTime(now);
  newCurrency();
  return () => vi.unstubAllEnvs();
});

const sell = (fields: Partial<NewSale> = {}) =>
  create({ amount: 1_000, cost: 400, currency, ...fields }, change);

const zeros = { sales: 0, profit: 0, orders: 0 };

describe('totals of sales', () => {
  it('are zero without sales', async () => {
    expect(await getSalesTotal()).toEqual(zeros);
    expect(await getCategoryTotals()).toEqual([]);
    expect(await getMonthlySales(2)).toEqual([
      { month: '2026-10', ...zeros },
      { month: '2026-11', ...zeros },
    ]);
  });

  it('count a sale in its month (UTC)', async () => {
    await sell({ soldAt: '2026-10-31T23:59:59.999Z', amount: 1 });
    await sell({ soldAt: '2026-11-01T00:00:00.000Z', amount: 2, cost: 5 });
    await sell({ amount: 3, cost: 0 });
    expect(await getMonthlySales(2)).toEqual([
      { month: '2026-10', sales: 0.01, profit: -3.99, orders: 1 },
      { month: '2026-11', sales: 0.05, profit: 0, orders: 2 },
    ]);
    expect(await getSalesTotal()).toEqual({ sales: 0.06, profit: -3.99, orders: 3 });
  });

  it('continue across months of any length and years', async () => {
    vi.setSystemTime(Date.parse('2027-01-31T12:00:00Z'));
    expect((await getMonthlySales(4)).map(({ month }) => month)).toEqual([
      '2026-10',
      '2026-11',
      '2026-12',
      '2027-01',
    ]);
    expect(await getMonthlySales(1)).toHaveLength(1);
    expect(await getMonthlySales(10_000)).toHaveLength(maxMonths);
  });

  it('are listed by category, best-selling first, with those of none', async () => {
    await sell({ category: 'Books' });
    await sell({ category: 'books', amount: 3_000 });
    await sell({ category: 'MONTH#2026-11', amount: 2_000 });
    await sell({});
    await sell({});
    expect(await getCategoryTotals()).toEqual([
      { category: 'books', sales: 30, profit: 26, orders: 1 },
      { category: null, sales: 20, profit: 12, orders: 2 },
      { category: 'MONTH#2026-11', sales: 20, profit: 16, orders: 1 },
      { category: 'Books', sales: 10, profit: 6, orders: 1 },
    ]);
  });

  it('start again for another CURRENCY', async () => {
    await sell();
    const former = currency;
    newCurrency();
    expect(await getSalesTotal()).toEqual(zeros);
    vi.stubEnv('CURRENCY', former);
    expect((await getSalesTotal()).orders).toBe(1);
  });

  it('are exact past 2^53 minor units', async () => {
    await sell();
    const [item] = (await itemsOf(`STATS#SALES#${currency}#`)).filter(({ sk }) => sk === 'MONTHS');
    await documentClient().send(
      new UpdateCommand({
        TableName: tableName(),
        Key: { pk: item?.['pk'], sk: 'MONTHS' },
        UpdateExpression: 'ADD sales :many',
        ExpressionAttributeValues: { ':many': 9_007_199_254_740_991n },
      }),
    );
    expect((await getSalesTotal()).sales).toBe(90_071_992_547_419.91);
  });

  it('cost the same for any number of sales', async () => {
    const meter = meterAws();
    const measure = async () => {
      const units = [];
      for (const read of [() => getMonthlySales(12), getCategoryTotals, getSalesTotal]) {
        const { readUnits, requests, trips } = await meter.measure<unknown>(read);
        units.push({ readUnits, table: requests.table, trips });
      }
      return units;
    };
    try {
      // Until all counters exist.
      for (let n = 0; n < 60; n++) await sell({ category: 'Books' });
      const few = await measure();
      expect(few).toEqual(few.map(() => ({ readUnits: 8, table: 8, trips: 1 })));
      for (let n = 0; n < 60; n++) await sell({ category: 'Books' });
      expect(await measure()).toEqual(few);
    } finally {
      meter.stop();
    }
  });
});

describe('categories', () => {
  const fill = async (count: number): Promise<void> => {
    await documentClient().send(
      new UpdateCommand({
        TableName: tableName(),
        Key: saleKeys.categories.at({ currency }),
        UpdateExpression: 'ADD #names :names',
        ExpressionAttributeNames: { '#names': 'names' },
        ExpressionAttributeValues: {
          ':names': new Set(Array.from({ length: count }, (_, n) => `Category ${n}`)),
        },
      }),
    );
  };

  it('are limited to 100', async () => {
    await fill(maxCategories - 1);
    await sell({ category: 'The last' });
    await expect(sell({ category: 'One more' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [{ field: 'category', message: 'exceeds the limit of 100 categories' }],
    });
    // Each shard creates its counter once.
    for (let n = 0; n < 30; n++) await sell({ category: 'The last' });
    await sell();
    expect(await getSalesTotal()).toMatchObject({ orders: 32 });
  });

  it('are limited to 100 under concurrent requests', async () => {
    await fill(maxCategories - 3);
    const sold = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => sell({ category: `At once ${n}` })),
    );
    expect(sold.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await getCategoryTotals()).toHaveLength(3);
  });
});

/** Sales with the same external id have the same fields. */
const saleOf = (n: number): NewSale => ({
  amount: (n * 7_919) % 100_003,
  cost: (n * 104_729) % 50_021,
  currency,
  externalId: `${currency}-${n}`,
  soldAt: `2026-${String((n % 4) + 8).padStart(2, '0')}-15T12:00:00.000Z`,
  ...(n % 3 > 0 && { category: `Category ${n % 3}` }),
});

const sumOf = (sales: readonly NewSale[]) => ({
  sales: sales.reduce((sum, { amount }) => sum + amount, 0) / 100,
  profit: sales.reduce((sum, { amount, cost }) => sum + amount - cost, 0) / 100,
  orders: sales.length,
});

describe('after concurrent and repeated sales with lost responses', () => {
  const Batch = fc.record({
    numbers: fc.array(fc.nat(25), { minLength: 1, maxLength: 8 }),
    faults: fc.array(
      fc.constantFrom<Fault | undefined>('throttled', 'lost', 'lost', undefined, undefined),
      {
        maxLength: 8,
      },
    ),
  });

  it('totals count each sale once', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(Batch, { minLength: 1, maxLength: 5 }), async (batches) => {
        newCurrency();
        const [total, used] = [await readTotal('sales'), new Set<number>()];
        for (const { numbers, faults } of batches) {
          fail(faults);
          const sold = await Promise.allSettled(numbers.map((n) => sell(saleOf(n))));
          fail([]);
          // A client without a response repeats the request.
          const unanswered = numbers.filter((_, at) => sold[at]?.status === 'rejected');
          await Promise.all(unanswered.map((n) => sell(saleOf(n))));
          for (const n of numbers) used.add(n);
        }
        const sales = [...used].map(saleOf);
        expect(await getSalesTotal()).toEqual(sumOf(sales));
        expect((await readTotal('sales')) - total).toBe(sales.length);
        expect(await getMonthlySales(4)).toEqual(
          ['08', '09', '10', '11'].map((month) => ({
            month: `2026-${month}`,
            ...sumOf(sales.filter(({ soldAt }) => soldAt?.slice(5, 7) === month)),
          })),
        );
        const categories = [...new Set(sales.map(({ category }) => category))];
        const found = await getCategoryTotals();
        expect(new Map(found.map(({ category, ...sums }) => [category, sums]))).toEqual(
          new Map(
            categories.map((one) => [
              one ?? null,
              sumOf(sales.filter(({ category }) => category === one)),
            ]),
          ),
        );
      }),
      { numRuns: 6, interruptAfterTimeLimit: 60_000 },
    );
  });
});

describe('toMinor and toMajor', () => {
  it.each<[number | string, string, number]>([
    [0, 'EUR', 0],
    [-0, 'EUR', 0],
    [0.1, 'EUR', 10],
    [12.34, 'EUR', 1_234],
    ['12.340', 'EUR', 1_234],
    [' 007.5 ', 'EUR', 750],
    [1.005, 'KWD', 1_005],
    ['12.345', 'KWD', 12_345],
    [500, 'JPY', 500],
    ['500.00', 'JPY', 500],
    [8_188_888_888.37, 'EUR', 818_888_888_837],
    ['10000000000', 'EUR', maxMinor],
  ])('convert %j in %s to %i minor units', (written, currency, minor) => {
    expect(toMinor(written, currency)).toBe(minor);
  });

  const range = 'must be at most 10000000000.00';
  const shape = 'must be a decimal number such as 12.34';
  it.each<[number | string, string, string]>([
    [0.1 + 0.2, 'EUR', 'must have at most 2 decimals for EUR'],
    ['12.345', 'EUR', 'must have at most 2 decimals for EUR'],
    [1.0001, 'KWD', 'must have at most 3 decimals for KWD'],
    [0.5, 'JPY', 'must be an integer, because JPY has no decimals'],
    [-1, 'EUR', 'must not be negative'],
    ['-0.01', 'EUR', 'must not be negative'],
    [1e21, 'EUR', range],
    [1e300, 'EUR', range],
    ['10000000000.01', 'EUR', range],
    [2 ** 53, 'EUR', range],
    [1e-7, 'EUR', shape],
    ['', 'EUR', shape],
    ['1,5', 'EUR', shape],
    ['1.000,50', 'EUR', shape],
    ['.5', 'EUR', shape],
    ['5.', 'EUR', shape],
    ['+5', 'EUR', shape],
    ['0x10', 'EUR', shape],
    ['1e3', 'EUR', shape],
    ['١٢', 'EUR', shape],
    ['NaN', 'EUR', shape],
    ['x', 'JPY', 'must be a decimal number such as 1234'],
  ])('reject %j in %s: %s', (written, currency, message) => {
    expect(() => toMinor(written, currency)).toThrow(new AmountError(message));
  });

  it('restore any amount exactly', () => {
    const minors = fc.integer({ min: 0, max: maxMinor });
    fc.assert(
      fc.property(minors, fc.constantFrom('EUR', 'JPY', 'KWD'), (minor, currency) => {
        const major = toMajor(minor, currency);
        expect(toMinor(major, currency)).toBe(minor);
        expect(toMinor(JSON.parse(JSON.stringify(major)), currency)).toBe(minor);
      }),
    );
  });

  it.each<[bigint, string, number]>([
    [-5n, 'EUR', -0.05],
    [-1_234n, 'EUR', -12.34],
    [-7n, 'JPY', -7],
    [0n, 'EUR', 0],
    [5n, 'KWD', 0.005],
    [9_007_199_254_740_991n, 'EUR', 90_071_992_547_409.91],
  ])('convert %i minor units in %s to %d', (minor, currency, major) => {
    expect(toMajor(minor, currency)).toBe(major);
  });
});
