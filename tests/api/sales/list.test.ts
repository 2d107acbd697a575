import { beforeAll, describe, expect, it } from 'vitest';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { list, listed, newSeller, record, recorded } from '../../support/sales/sales.ts';
import { readPages } from '../../support/service/pages.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

let seller: Person;
/** Every sale by when it was sold, the last first. */
let sales: { readonly id: number; readonly soldAt: string; readonly category?: string }[];

beforeAll(async () => {
  seller = await newSeller();
  sales = [];
  for (let n = 0; n < 25; n++) {
    // Recorded in another order than they were sold in.
    const soldAt = `2026-10-${String(((n * 7) % 25) + 1).padStart(2, '0')}T12:00:00.000Z`;
    const category = n % 5 === 0 ? 'Books' : 'Games';
    const customer = n % 12 === 0 ? 'Ann' : 'Bob';
    const id = await recorded(seller, { amount: n + 1, soldAt, category, customer });
    sales.push({ id, soldAt, category });
  }
  sales.sort((a, b) => (a.soldAt < b.soldAt ? 1 : -1));
});

const idsOf = (some: typeof sales) => some.map(({ id }) => id);

describe('GET /api/sales', () => {
  it('lists sales, last sold first, with a total', async () => {
    expect(await listed(seller)).toEqual({ ids: idsOf(sales), total: 25 });
  });

  it.each(['page', 'cursor'] as const)('continues by %s', async (by) => {
    const pages = await readPages((at) => list(seller, at), by);
    expect(pages.map(({ page, totalPages }) => [page, totalPages])).toEqual([
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    expect(idsOf(pages.flatMap(({ items }) => items))).toEqual(idsOf(sales));
  });

  it('filters by category or customer', async () => {
    const books = idsOf(sales.filter(({ category }) => category === 'Books'));
    expect(await listed(seller, { category: 'Books' })).toEqual({ ids: books, total: 5 });
    expect((await listed(seller, { customer: 'Ann' })).total).toBe(3);
    expect(await listed(seller, { customer: 'Nobody' })).toEqual({ ids: [], total: 0 });
  });

  it.each<[string, Record<string, string>, (soldAt: string) => boolean]>([
    ['from a day on', { from: '2026-10-20' }, (at) => at >= '2026-10-20'],
    ['to a day, which belongs to it', { to: '2026-10-05' }, (at) => at < '2026-10-06'],
    ['of one day', { from: '2026-10-05', to: '2026-10-05' }, (at) => at.startsWith('2026-10-05')],
    [
      'between two times, excluding the second',
      { from: '2026-10-05T14:00:00+02:00', to: '2026-10-07T12:00:00Z' },
      (at) => at >= '2026-10-05T12:00' && at < '2026-10-07T12:00',
    ],
    ['of all time', { from: '1970-01-01', to: '9998-12-31' }, () => true],
  ])('filters by period: %s', async (_, query, isIn) => {
    const ids = idsOf(sales.filter(({ soldAt }) => isIn(soldAt)));
    expect(ids.length).toBeGreaterThan(0);
    expect(await listed(seller, query)).toEqual({ ids, total: ids.length });
  });

  it('ignores an empty filter', async () => {
    expect((await listed(seller, { category: '', customer: '', from: '', to: '' })).total).toBe(25);
  });

  it.each<[string, Record<string, string>, string, string]>([
    [
      'two filters',
      { category: 'Books', customer: 'Ann' },
      'customer',
      'cannot be combined with category',
    ],
    [
      'a filter and a period',
      { category: 'Books', to: '2026-10-05' },
      'to',
      'cannot be combined with category',
    ],
    [
      'a period that ends before it starts',
      { from: '2026-10-05', to: '2026-10-04' },
      'to',
      'must be after from',
    ],
    [
      'a time that is none',
      { from: 'May' },
      'from',
      'must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21',
    ],
    [
      'the cursor of another list',
      { category: 'Books', cursor: 'a.b.c' },
      'cursor',
      'must be a nextCursor from this list',
    ],
  ])('rejects %s', async (_, query, field, message) => {
    const { status, body } = await list(seller, query);
    expect([status, body.error.details]).toEqual([400, [{ field, message }]]);
  });

  it('lists a sale immediately, at a cost independent of their number', async () => {
    const meter = meterAws();
    try {
      // The first call may be slow, so its requests don't overlap.
      await list(seller);
      const before = await meter.measure(() => list(seller));
      const ids = await Promise.all(
        Array.from({ length: 30 }, async () => (await record(seller, { amount: 1 })).body.data.id),
      );
      const after = await meter.measure(() => list(seller, { pageSize: '10' }));
      const shown = after.result.body.data.items.map(({ id }: { id: number }) => id);
      expect(shown).toEqual(ids.sort((a, b) => b - a).slice(0, 10));
      expect([after.readUnits, after.trips]).toEqual([before.readUnits, before.trips]);
    } finally {
      meter.stop();
    }
  });
});
