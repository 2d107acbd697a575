import { beforeAll, describe, expect, it, vi } from 'vitest';
import { recount } from '../../../functions/jobs/recount/recount.ts';
import { listDailyVisits } from '../../../shared/activity/days.ts';
import { change as changeEvent, made as madeEvent } from '../../support/calendar/calendar.ts';
import { ask, newViewer, shown, visit } from '../../support/dashboard/dashboard.ts';
import { made as madeDocument, trash } from '../../support/documents/documents.ts';
import { made as madeFile, remove as removeFile } from '../../support/files/files.ts';
import { remove as removeMessage, sent } from '../../support/messages/messages.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useBucket } from '../../support/s3/local-s3.ts';
import { recorded } from '../../support/sales/sales.ts';
import { call } from '../../support/service/call.ts';
import { sharesOf } from '../../support/shares/requests.ts';
import { useTable } from '../../support/table/table.ts';
import { newUserOf, type Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-09-10T12:00:00.000Z');
useTable();
useBucket();

const shared = ['stats', 'visits', 'sales', 'pie'];
const own = ['tasks', 'calendar'];

let viewer: Person;
const comeBack = async (at: string): Promise<void> => {
  vi.setSystemTime(Date.parse(at));
  viewer = await newViewer();
};

describe('the dashboard without data', () => {
  beforeAll(() => comeBack('2026-09-10T12:00:00.000Z'));

  it('returns zeros and no growth', async () => {
    expect(await shown(viewer, 'stats')).toEqual({
      totalUsers: 1,
      activeUsers: 1,
      totalRevenue: 0,
      totalOrders: 0,
      conversionRate: 0,
      recentOrders: 0,
      pendingTasks: 0,
      userGrowth: null,
      revenueGrowth: null,
      orderGrowth: null,
      rateGrowth: null,
      documents: 0,
      files: 0,
      shares: 0,
      messages: 0,
    });
  });

  it('returns every day and month', async () => {
    expect(await shown(viewer, 'visits')).toEqual(
      ['04', '05', '06', '07', '08', '09', '10'].map((day) => ({
        date: `2026-09-${day}`,
        visits: 0,
        uniqueVisitors: 0,
        pageViews: 0,
      })),
    );
    expect(await shown(viewer, 'sales')).toEqual(
      ['04', '05', '06', '07', '08', '09'].map((month) => ({
        month: `2026-${month}`,
        sales: 0,
        profit: 0,
        orders: 0,
      })),
    );
  });

  it('returns no tasks, events and categories', async () => {
    for (const name of ['tasks', 'calendar', 'pie']) expect(await shown(viewer, name)).toEqual([]);
    expect(await shown(viewer, 'pie', { by: 'content' })).toEqual(
      ['documents', 'files', 'shares', 'messages'].map((name) => ({ name, value: 0 })),
    );
  });
});

describe('a response', () => {
  it.each(shared)('of %s can be cached by the caller for 30 s', async (name) => {
    const { headers, body } = await ask(viewer, name);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=30',
      vary: 'authorization, cookie',
    });
    expect(Object.keys(body)).toEqual(['success', 'data']);
  });

  it.each(own)('of %s is not cached because the caller can change it', async (name) => {
    const { headers, body } = await ask(viewer, name);
    expect(headers['cache-control']).toBe('no-store');
    expect(Object.keys(body)).toEqual(['success', 'data']);
  });

  it.each([
    ['visits', 'days', ['0', '91', '1.5', '-1', 'x', ''], 'an integer from 1 to 90'],
    ['sales', 'months', ['0', '25', '1.5', 'x'], 'an integer from 1 to 24'],
    ['pie', 'by', ['', 'customer'], 'one of category, content'],
  ])('of %s names an invalid %s', async (name, field, values, rule) => {
    for (const value of values) {
      const { status, body } = await ask(viewer, name, { [field]: value });
      expect(status).toBe(400);
      expect(body.error.details).toEqual([{ field, message: `must be ${rule}` }]);
    }
  });

  it('contains the requested number of days and months', async () => {
    const lengths = [
      (await shown(viewer, 'visits', { days: '1' })).length,
      (await shown(viewer, 'visits', { days: '90' })).length,
      (await shown(viewer, 'sales', { months: '24' })).length,
    ];
    expect(lengths).toEqual([1, 90, 24]);
  });
});

describe('global statistics', () => {
  it('compare the last full month with the previous one', async () => {
    await newUserOf('user');
    const { totalUsers: september } = await shown(viewer, 'stats');
    vi.setSystemTime(Date.parse('2026-10-31T23:59:59.999Z'));
    const [seller] = await Promise.all([newViewer(), newUserOf('user')]);
    for (const [at, sales, viewers] of [
      ['2026-09-01T00:00:00.000Z', 2, 8],
      ['2026-10-31T23:59:59.999Z', 3, 6],
    ] as const) {
      await visit(at, viewers);
      for (let n = 0; n < sales; n++) await recorded(seller, { amount: 100, soldAt: at });
    }
    vi.setSystemTime(Date.parse('2026-11-01T00:00:00.000Z'));
    await visit('2026-11-01T00:00:00.000Z', 4);
    viewer = await newViewer();
    await recorded(viewer, { amount: 0.5, category: 'Books' });
    expect(await shown(viewer, 'stats')).toMatchObject({
      totalUsers: september + 3,
      activeUsers: september + 3,
      userGrowth: Math.round(((2 - september) / september) * 1_000) / 10,
      totalRevenue: 500.5,
      totalOrders: 6,
      recentOrders: 1,
      conversionRate: 25,
      revenueGrowth: 50,
      orderGrowth: 50,
      rateGrowth: 25,
    });
  });

  it('include the sales of each month and category', async () => {
    expect(await shown(viewer, 'sales', { months: '3' })).toEqual([
      { month: '2026-09', sales: 200, profit: 200, orders: 2 },
      { month: '2026-10', sales: 300, profit: 300, orders: 3 },
      { month: '2026-11', sales: 0.5, profit: 0.5, orders: 1 },
    ]);
    expect(await shown(viewer, 'pie')).toEqual([
      { name: 'Uncategorized', value: 500 },
      { name: 'Books', value: 0.5 },
    ]);
  });

  it('include the visits of each day', async () => {
    expect(await shown(viewer, 'visits', { days: '2' })).toEqual([
      { date: '2026-10-31', visits: 6, uniqueVisitors: 6, pageViews: 6 },
      { date: '2026-11-01', visits: 4, uniqueVisitors: 4, pageViews: 4 },
    ]);
    expect(await listDailyVisits(1)).toMatchObject([{ visits: 4 }]);
  });

  it('count deleted and suspended users as inactive', async () => {
    const before = await shown(viewer, 'stats');
    const [gone, idle] = [await newUserOf('user'), await newUserOf('user')];
    const { token } = await newUserOf('super_admin');
    const on = (id: number) => ({ token, params: { id: String(id) } });
    await call('DELETE /api/users/{id}', on(gone.id));
    await call('PUT /api/users/{id}', { ...on(idle.id), body: { status: 'suspended' } });
    const { totalUsers, activeUsers } = await shown(viewer, 'stats');
    expect([totalUsers - before.totalUsers, activeUsers - before.activeUsers]).toEqual([2, 1]);
    await call('PUT /api/users/{id}', { ...on(idle.id), body: { status: 'active' } });
    expect((await shown(viewer, 'stats')).activeUsers).toBe(activeUsers + 1);
  });

  it('count concurrent changes of a status once', async () => {
    const { token } = await newUserOf('super_admin');
    const { id } = await newUserOf('user');
    const { activeUsers } = await shown(viewer, 'stats');
    const change = (status: string) =>
      call('PUT /api/users/{id}', { token, params: { id: String(id) }, body: { status } });
    await Promise.all(Array.from({ length: 6 }, () => change('inactive')));
    expect((await shown(viewer, 'stats')).activeUsers).toBe(activeUsers - 1);
    await Promise.all(['active', 'suspended', 'inactive', 'suspended', 'inactive'].map(change));
    await change('active');
    expect((await shown(viewer, 'stats')).activeUsers).toBe(activeUsers);
  });

  it('count documents, files, shares, messages and open tasks', async () => {
    const reader = await newUserOf('user');
    const shares = sharesOf(viewer);
    const keep = {
      documents: await madeDocument(viewer),
      file: await madeFile(viewer),
      share: await shares.newShare(),
      message: await sent(viewer, [reader]),
      task: (await madeEvent(viewer, { type: 'task' })).id,
    };
    expect(keep.file).toBeGreaterThan(0);
    await trash(viewer, await madeDocument(viewer));
    await removeFile(viewer, await madeFile(viewer));
    await shares.remove(await shares.newShare());
    const done = await madeEvent(viewer, { type: 'task' });
    await changeEvent(viewer, done.id, { status: 'done' });
    const { pendingTasks, documents, files, messages, ...stats } = await shown(viewer, 'stats');
    const counts = { pendingTasks, documents, files, messages, shares: stats['shares'] };
    expect(counts).toEqual({ pendingTasks: 1, documents: 1, files: 1, messages: 1, shares: 1 });
    expect(await shown(viewer, 'pie', { by: 'content' })).toEqual(
      ['documents', 'files', 'shares', 'messages'].map((name) => ({ name, value: 1 })),
    );
    // Its recipient has not received it yet.
    await removeMessage(viewer, keep.message);
    expect((await shown(viewer, 'stats')).messages).toBe(1);
  });

  it('match a recount', async () => {
    expect(await recount()).toEqual({ differences: [], unstable: [], repaired: [] });
  });
});
