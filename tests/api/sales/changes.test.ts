import { beforeEach, describe, expect, it, vi } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { newViewer, shown } from '../../support/dashboard/dashboard.ts';
import { violationsOf } from '../../support/invariants/invariants.ts';
import { pass, useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import {
  change,
  listed,
  look,
  newSeller,
  record,
  recorded,
  refund,
  remove,
} from '../../support/sales/sales.ts';
import { entriesAbout } from '../../support/service/audit.ts';
import type { Answer } from '../../support/service/call.ts';
import { useJobs } from '../../support/service/jobs.ts';
import { readState } from '../../support/service/state.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

const now = '2026-11-21T12:00:00.000Z';
useVirtualTime(now);
useTable();
useBucket();
useJobs();

const october = '2026-10-15T12:00:00.000Z';
const november = '2026-11-15T12:00:00.000Z';

beforeEach(() => void vi.setSystemTime(Date.parse(now)));
const { seller, viewer } = useNewPeople({ seller: newSeller, viewer: newViewer });

/** Returns the dashboard's totals, less those from before the test. */
const numbers = async () => {
  const [stats, months, pie] = await Promise.all([
    shown(viewer, 'stats'),
    shown(viewer, 'sales', { months: '2' }),
    shown(viewer, 'pie'),
  ]);
  const { totalRevenue, totalOrders, recentOrders } = stats;
  return { totalRevenue, totalOrders, recentOrders, months, pie };
};

const isSound = async () => {
  expect(await recount()).toEqual({ differences: [], unstable: [], repaired: [] });
  expect(violationsOf(await readState())).toEqual([]);
};

const refused = ({ status, body }: Answer) => [status, body.error.code, body.error.details];

describe('PUT /api/sales/{id}', () => {
  const sale = { amount: 20, cost: 5, customer: 'Ann', category: 'Books', soldAt: october };

  it('changes the fields that are sent, all totals and lists, and logs the change', async () => {
    const id = await recorded(seller, sale);
    const before = await numbers();
    pass(60_000);
    const body = {
      amount: '30.50',
      cost: null,
      customer: 'Bob',
      category: 'Music',
      soldAt: november,
    };
    const response = await change(seller, id, { body });
    const data = {
      id,
      amount: 30.5,
      cost: 0,
      currency: 'EUR',
      customer: 'Bob',
      category: 'Music',
      soldAt: november,
      day: null,
      externalId: null,
      refundedAt: null,
      createdAt: now,
      updatedAt: '2026-11-21T12:01:00.000Z',
      version: 2,
    };
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, data, message: 'Saved' },
    ]);
    expect(response.headers['etag']).toMatch(/^"2-/);
    expect((await look(seller, id)).body).toEqual({ success: true, data });

    const after = await numbers();
    expect(after.totalRevenue - before.totalRevenue).toBe(10.5);
    expect([after.totalOrders, after.recentOrders]).toEqual([
      before.totalOrders,
      before.recentOrders + 1,
    ]);
    const [ofOctober, ofNovember] = after.months.map((month: object, at: number) => ({
      ...month,
      before: before.months[at],
    }));
    expect(ofOctober).toMatchObject({
      sales: ofOctober.before.sales - 20,
      profit: ofOctober.before.profit - 15,
      orders: ofOctober.before.orders - 1,
    });
    expect(ofNovember).toMatchObject({
      sales: ofNovember.before.sales + 30.5,
      profit: ofNovember.before.profit + 30.5,
      orders: ofNovember.before.orders + 1,
    });

    for (const [query, isIn] of [
      [{ category: 'Books' }, false],
      [{ category: 'Music' }, true],
      [{ customer: 'Ann' }, false],
      [{ customer: 'Bob' }, true],
      [{ from: '2026-10-01', to: '2026-10-31' }, false],
      [{ from: '2026-11-01', to: '2026-11-30' }, true],
      [{}, true],
    ] as const) {
      expect([query, (await listed(seller, query)).ids.includes(id)]).toEqual([query, isIn]);
    }
    const entry = (await entriesAbout(`sale:${id}`)).find(({ action }) => action !== 'sale.create');
    expect(entry).toMatchObject({
      action: 'sale.update',
      before: { amount: 20, cost: 5, customer: 'Ann', category: 'Books', soldAt: october },
      after: { amount: 30.5, cost: 0, customer: 'Bob', category: 'Music', soldAt: november },
    });
    await isSound();
  });

  it('clears customer and category by null or empty text', async () => {
    const id = await recorded(seller, sale);
    const { body } = await change(seller, id, { body: { customer: null, category: '' } });
    expect(body.data).toMatchObject({ customer: null, category: null, amount: 20 });
    expect((await listed(seller, { customer: 'Ann' })).ids).not.toContain(id);
    await isSound();
  });

  it('accepts the whole sale as read and changes nothing', async () => {
    const id = await recorded(seller, { ...sale, externalId: 'whole-1' });
    const seen = await look(seller, id);
    pass(60_000);
    const entries = await entriesAbout(`sale:${id}`);
    for (const body of [seen.body.data, {}, { soldAt: '2026-10-15T14:00:00+02:00' }]) {
      const again = await change(seller, id, { body });
      expect([again.status, again.body.data]).toEqual([200, seen.body.data]);
      expect(again.headers['etag']).toMatch(/^"1-/);
    }
    expect(await entriesAbout(`sale:${id}`)).toEqual(entries);
  });

  it('rejects new values of read-only fields', async () => {
    const id = await recorded(seller, { ...sale, externalId: 'kept-1' });
    for (const [field, value, message] of [
      ['currency', 'USD', 'cannot be changed'],
      ['currency', null, 'cannot be changed'],
      ['id', id + 1, 'is read-only; omit it or send the current value'],
      ['version', 7, 'is now 1; fetch the record again'],
      ['externalId', 'kept-2', 'cannot be changed; delete the sale and create it again'],
      ['externalId', null, 'cannot be changed; delete the sale and create it again'],
      ['refundedAt', now, 'is set by POST /api/sales/{id}/refund'],
      ['amount', null, 'must be a number such as 12.34'],
      ['amount', -1, 'must not be negative'],
      ['cost', '0.001', 'must have at most 2 decimals for EUR'],
      ['soldAt', '2027-01-01', 'must not be in the future'],
    ] as const) {
      const response = await change(seller, id, { body: { [field]: value } });
      expect(refused(response)).toEqual([400, 'VALIDATION_ERROR', [{ field, message }]]);
    }
    expect((await look(seller, id)).body.data.version).toBe(1);
  });

  it('keeps each of ten concurrent changes', async () => {
    const id = await recorded(seller, sale);
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change(seller, id, { body: { amount: 100 + n } })),
    );
    const done = responses.filter(({ status }) => status === 200).length;
    expect((await look(seller, id)).body.data.version).toBe(1 + done);
    await isSound();
  });

  it('returns 404 for an unknown sale', async () => {
    expect((await change(seller, 1, { body: {} })).status).toBe(404);
  });
});

describe('POST /api/sales/{id}/refund', () => {
  const sale = { amount: 40, cost: 15, customer: 'Cat', category: 'Games', soldAt: october };

  it('removes the sale from the totals and keeps it in the lists', async () => {
    const before = await numbers();
    const id = await recorded(seller, sale);
    const { total } = await listed(seller);
    const response = await refund(seller, id);
    expect([response.status, response.body]).toMatchObject([
      200,
      { success: true, data: { id, refundedAt: now, amount: 40, version: 2 }, message: 'Refunded' },
    ]);
    expect(response.headers['etag']).toMatch(/^"2-/);
    expect(await numbers()).toEqual(before);
    for (const query of [{}, { category: 'Games' }, { customer: 'Cat' }, { from: '2026-10-15' }]) {
      expect((await listed(seller, query)).ids).toContain(id);
    }
    expect((await listed(seller)).total).toBe(total);
    const entry = (await entriesAbout(`sale:${id}`)).find(({ action }) => action !== 'sale.create');
    expect(entry).toMatchObject({
      action: 'sale.refund',
      before: { refundedAt: null },
      after: { refundedAt: now },
    });
    await isSound();
  });

  it('returns 409 if repeated', async () => {
    const id = await recorded(seller, sale);
    expect((await refund(seller, id)).status).toBe(200);
    const other = await refund(seller, id);
    expect([other.status, other.body.error]).toMatchObject([
      409,
      { code: 'CONFLICT', message: `This sale was already refunded at ${now}.` },
    ]);
  });

  it('refunds once for ten concurrent requests', async () => {
    const before = await numbers();
    const id = await recorded(seller, sale);
    const responses = await Promise.all(Array.from({ length: 10 }, () => refund(seller, id)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(409)]);
    expect(await numbers()).toEqual(before);
  });

  it('changes no totals in later updates or deletions', async () => {
    const before = await numbers();
    const id = await recorded(seller, sale);
    await refund(seller, id);
    const body = { amount: 1_000, category: 'Other', soldAt: november };
    expect((await change(seller, id, { body })).body.data).toMatchObject({
      ...body,
      refundedAt: now,
    });
    expect(await numbers()).toEqual(before);
    expect((await listed(seller, { category: 'Other' })).ids).toEqual([id]);
    await isSound();
    expect((await remove(seller, id)).status).toBe(200);
    expect(await numbers()).toEqual(before);
    await isSound();
  });
});

describe('DELETE /api/sales/{id}', () => {
  const sale = { amount: 70, cost: 1, customer: 'Dan', category: 'Tools', soldAt: november };

  it('removes the sale from all lists and totals and returns 404 if repeated', async () => {
    const before = await numbers();
    const { total } = await listed(seller);
    const id = await recorded(seller, { ...sale, externalId: 'gone-1' });
    const response = await remove(seller, id);
    expect([response.status, response.body]).toEqual([
      200,
      { success: true, data: { id }, message: 'Deleted' },
    ]);
    expect(await numbers()).toEqual(before);
    for (const query of [{}, { category: 'Tools' }, { customer: 'Dan' }, { from: '2026-11-15' }]) {
      expect((await listed(seller, query)).ids).not.toContain(id);
    }
    expect((await listed(seller)).total).toBe(total);
    for (const act of [look, remove, refund]) expect((await act(seller, id)).status).toBe(404);
    const entry = (await entriesAbout(`sale:${id}`)).find(({ action }) => action !== 'sale.create');
    expect(entry).toMatchObject({
      action: 'sale.delete',
      before: { amount: 70, category: 'Tools' },
    });
    expect(await itemsOf('SALE#EXTERNAL#gone-1')).toEqual([]);
    await isSound();
  });

  it('counts nothing twice with a concurrent refund and update', async () => {
    const before = await numbers();
    for (let round = 0; round < 5; round++) {
      const id = await recorded(seller, sale);
      const [gone] = await Promise.all([
        remove(seller, id),
        refund(seller, id),
        change(seller, id, { body: { amount: 71, soldAt: october } }),
      ]);
      expect(gone.status).toBe(200);
    }
    expect(await numbers()).toEqual(before);
    await isSound();
  });
});

describe('repeated externalId', () => {
  const sale = { amount: 12, category: 'Books', soldAt: october };
  const send = (externalId: string, fields: object = {}) =>
    record(seller, { ...sale, externalId, ...fields });

  it('returns an updated sale for its original or current fields', async () => {
    const id = await recorded(seller, { ...sale, externalId: 'later-1' });
    await change(seller, id, { body: { amount: 13 } });
    const { body } = await look(seller, id);
    for (const amount of [12, 13]) {
      const again = await send('later-1', { amount });
      expect([again.status, again.body.data]).toEqual([201, body.data]);
      expect(again.headers['idempotency-replayed']).toBe('true');
    }
    expect((await send('later-1', { amount: 14 })).status).toBe(409);
    await isSound();
  });

  it('returns a refunded sale, which stays refunded', async () => {
    const id = await recorded(seller, { ...sale, externalId: 'later-2' });
    await refund(seller, id);
    const before = await numbers();
    const again = await send('later-2');
    expect([again.status, again.body.data]).toMatchObject([201, { id, refundedAt: now }]);
    expect(await numbers()).toEqual(before);
  });

  it('records a new sale after a deletion', async () => {
    const id = await recorded(seller, { ...sale, externalId: 'later-3' });
    await remove(seller, id);
    const again = await send('later-3', { amount: 99 });
    expect(again.status).toBe(201);
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect(again.body.data.id).not.toBe(id);
    await isSound();
  });
});

it('PUT /api/sales/{id} rejects a 101st category', async () => {
  const id = await recorded(seller, { soldAt: october });
  const changeTo = (n: number) => change(seller, id, { body: { category: `One of many ${n}` } });
  let response = await changeTo(0);
  for (let n = 1; response.status === 200 && n <= 100; n++) response = await changeTo(n);
  expect(refused(response)).toEqual([
    400,
    'VALIDATION_ERROR',
    [{ field: 'category', message: 'exceeds the limit of 100 categories' }],
  ]);
  await isSound();
});
