import { beforeAll, describe, expect, it } from 'vitest';
import { getMonthlySales } from '../../../functions/api/sales/statistics.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import {
  change,
  list,
  listed,
  look,
  newSeller,
  record,
  recorded,
  refund,
} from '../../support/sales/sales.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import { readPages } from '../../support/service/pages.ts';
import { meterAws } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

describe('GET /api/sales', () => {
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

describe('times of sales', () => {
  const { seller } = useNewPeople({ seller: newSeller });

  const midnight = '2026-11-01T00:00:00.000Z';
  const onDay = { soldAt: midnight, day: '2026-11-01' };
  const atTime = (soldAt: string) => ({ soldAt, day: null });

  const soldOf = ({ body }: Awaited<ReturnType<typeof look>>) => {
    const { soldAt, day } = body.data;
    return { soldAt, day };
  };

  const contradiction = [{ field: 'day', message: 'contradicts soldAt; send one of them' }];

  describe('a sale of which only the day is known', () => {
    it.each([
      ['a day', { soldAt: '2026-11-01' }, onDay],
      ['the field of a day', { day: '2026-11-01' }, onDay],
      ['both', { soldAt: '2026-11-01', day: '2026-11-01' }, onDay],
      ['what the API returns', onDay, onDay],
      ['a time at midnight', { soldAt: midnight }, atTime(midnight)],
      [
        'a time',
        { soldAt: '2026-11-01T20:00:00-04:00', day: null },
        atTime('2026-11-02T00:00:00.000Z'),
      ],
    ])('is recorded by %s', async (_, sent, sold) => {
      const id = await recorded(seller, sent);
      expect(soldOf(await look(seller, id))).toEqual(sold);
      const { items } = (await list(seller, { pageSize: '100' })).body.data;
      expect(items).toContainEqual(expect.objectContaining({ id, ...sold }));
    });

    it.each([
      [{ soldAt: '2026-11-02', day: '2026-11-01' }, contradiction],
      [{ soldAt: '2026-11-01T12:00:00Z', day: '2026-11-01' }, contradiction],
      [{ day: '2026-11-30' }, [{ field: 'day', message: 'must not be in the future' }]],
      [
        { day: '2026-11-01T12:00:00Z' },
        [{ field: 'day', message: 'must be a day such as 2026-11-21' }],
      ],
    ])('is not recorded by %j', async (sent, details) => {
      const { status, body } = await record(seller, { amount: 1, ...sent });
      expect([status, body.error.details]).toEqual([400, details]);
    });

    it.each([
      ['another field', { amount: 2 }, onDay],
      ['the whole record', { ...onDay, amount: 2 }, onDay],
      [
        'the whole record, with its time written otherwise',
        { ...onDay, soldAt: '2026-11-01T00:00:00Z' },
        onDay,
      ],
      [
        'another day',
        { day: '2026-11-03' },
        { soldAt: '2026-11-03T00:00:00.000Z', day: '2026-11-03' },
      ],
      [
        'another day in the whole record',
        { ...onDay, day: '2026-11-03' },
        { soldAt: '2026-11-03T00:00:00.000Z', day: '2026-11-03' },
      ],
      ['a time', { soldAt: '2026-11-01T09:30:00Z' }, atTime('2026-11-01T09:30:00.000Z')],
      [
        'a time in the whole record',
        { ...onDay, soldAt: '2026-11-01T09:30:00Z' },
        atTime('2026-11-01T09:30:00.000Z'),
      ],
      ['no day', { day: null }, atTime(midnight)],
    ])('becomes by %s what it should', async (_, sent, sold) => {
      const id = await recorded(seller, { soldAt: '2026-11-01' });
      expect((await change(seller, id, { body: sent })).status).toBe(200);
      expect(soldOf(await look(seller, id))).toEqual(sold);
    });

    it('becomes one by a day later, and stays one when it is refunded', async () => {
      const id = await recorded(seller, { soldAt: '2026-11-05T09:30:00Z' });
      await change(seller, id, { body: { soldAt: '2026-11-01', day: null } });
      await refund(seller, id);
      expect(soldOf(await look(seller, id))).toEqual(onDay);
    });

    it('can’t be changed to a day and a time that contradict each other', async () => {
      const id = await recorded(seller, { soldAt: '2026-11-01' });
      for (const body of [
        { soldAt: '2026-11-02T12:00:00Z', day: '2026-11-03' },
        { soldAt: '2026-11-03', day: null },
      ]) {
        const response = await change(seller, id, { body });
        expect([response.status, response.body.error.details]).toEqual([400, contradiction]);
      }
    });

    it('is audited as the day', async () => {
      const id = await recorded(seller, { soldAt: '2026-11-01' });
      await change(seller, id, { body: { soldAt: '2026-11-01T09:30:00Z' } });
      const entries = await entriesAbout(`sale:${id}`);
      const [changed, created] = ['sale.update', 'sale.create'].map((action) =>
        entries.find((entry) => entry.action === action),
      );
      expect(created?.after).toMatchObject({ soldAt: '2026-11-01' });
      expect([changed?.before, changed?.after]).toEqual([
        { soldAt: '2026-11-01' },
        { soldAt: '2026-11-01T09:30:00.000Z' },
      ]);
    });

    it('is repeated by its external id, also without a time, but not with a time', async () => {
      const sale = { amount: 5, soldAt: '2026-11-01', externalId: 'day-1' };
      const id = await recorded(seller, sale);
      const { soldAt, ...timeless } = sale;
      for (const body of [sale, timeless]) {
        expect((await record(seller, body)).body.data).toMatchObject({ id, ...onDay });
      }
      expect((await record(seller, { ...sale, soldAt: midnight })).status).toBe(409);
    });
  });

  describe('GET /api/sales with a period in a time zone', () => {
    it('agrees with the days that are shown there, and with the sums of months', async () => {
      const before = (await getMonthlySales(1))[0]?.orders ?? 0;
      const day = (date: string) => recorded(seller, { day: date });
      const time = (at: string) => recorded(seller, { soldAt: at });
      const ids = {
        october31: await day('2026-10-31'),
        lateOctober31: await time('2026-11-01T03:30:00Z'),
        november1: await day('2026-11-01'),
        earlyNovember1: await time('2026-11-01T04:30:00Z'),
        november2: await day('2026-11-02'),
        lateNovember1: await time('2026-11-02T04:30:00Z'),
        earlyNovember2: await time('2026-11-02T05:30:00Z'),
      };
      const among = async (query: Readonly<Record<string, string>>) => {
        const found = await listed(seller, query);
        const names = Object.entries(ids).filter(([, id]) => found.ids.includes(id));
        return names.map(([name]) => name).toSorted();
      };
      const november1 = ['earlyNovember1', 'lateNovember1', 'november1'];
      // New York leaves daylight saving time on this day.
      const inNewYork = { from: '2026-11-01T00:00:00-04:00', to: '2026-11-02T00:00:00-05:00' };
      expect(await among(inNewYork)).toEqual(november1);
      // There, the first of November is from 11:00 UTC of the last of October on.
      const inAuckland = { from: '2026-11-01T00:00:00+13:00', to: '2026-11-02T00:00:00+13:00' };
      expect(await among(inAuckland)).toEqual(['earlyNovember1', 'lateOctober31', 'november1']);
      expect(await among({ from: '2026-11-01', to: '2026-11-01' })).toEqual([
        'earlyNovember1',
        'lateOctober31',
        'november1',
      ]);
      expect(await among({ from: '2026-11-01T00:00:01-04:00' })).not.toContain('november1');
      expect((await getMonthlySales(1))[0]?.orders).toBe(before + 6);
    });

    it('continues by its cursor', async () => {
      const query = { from: '2026-09-01T00:00:00-04:00', to: '2026-09-04T00:00:00-04:00' };
      const days = ['2026-09-01', '2026-09-02', '2026-09-03'];
      for (const date of ['2026-08-31', ...days, '2026-09-04'])
        await recorded(seller, { day: date });
      const pages = await readPages(
        (at) => list(seller, { ...query, ...at, pageSize: '2' }),
        'cursor',
      );
      expect(
        pages.flatMap(({ items }) => items.map((item: Record<string, unknown>) => item['day'])),
      ).toEqual(days.toReversed());
      expect(pages[0]).toMatchObject({ total: 3, totalIsExact: true });
    });
  });
});
