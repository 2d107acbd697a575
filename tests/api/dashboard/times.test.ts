import { describe, expect, it, vi } from 'vitest';
import { listNewUserTotals } from '../../../functions/api/users/record/counters.ts';
import { made } from '../../support/calendar/calendar.ts';
import { newViewer, shown, visit } from '../../support/dashboard/dashboard.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { recorded } from '../../support/sales/sales.ts';
import { useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';

useVirtualTime('2026-11-21T12:00:00.000Z');
useTable();

/** Creates a user at a time (ISO 8601). */
const viewerAt = (at: string, timezone?: string): Promise<Person> => {
  vi.setSystemTime(Date.parse(at));
  return newViewer(timezone === undefined ? {} : { timezone });
};

const titles = (events: readonly { readonly title: string }[]) => events.map(({ title }) => title);

describe('GET /api/dashboard/calendar', () => {
  it.each([
    ['UTC', '2026-11-21T23:59:59.999Z', ['All day', 'Last in UTC']],
    ['UTC', '2026-11-22T00:00:00.000Z', ['Next in UTC']],
    ['Pacific/Auckland', '2026-11-21T10:59:59.999Z', ['All day']],
    ['Pacific/Auckland', '2026-11-21T11:00:00.000Z', ['Last in UTC', 'Next in UTC']],
    ['America/Los_Angeles', '2026-11-22T07:59:59.999Z', ['All day', 'Last in UTC', 'Next in UTC']],
    ['America/Los_Angeles', '2026-11-22T08:00:00.000Z', []],
  ])('lists the events of the day of %s at %s', async (timezone, at, expected) => {
    const viewer = await viewerAt(at, timezone);
    await made(viewer, { title: 'All day', start: '2026-11-21', end: null });
    const start = '2026-11-21T23:30:00Z';
    await made(viewer, { title: 'Last in UTC', start, end: '2026-11-21T23:59:00Z' });
    const next = '2026-11-22T00:00:00Z';
    await made(viewer, { title: 'Next in UTC', start: next, end: '2026-11-22T05:00:00Z' });
    expect(titles(await shown(viewer, 'calendar'))).toEqual(expected);
  });

  it('covers the 23 or 25 hours of days with a clock change', async () => {
    for (const [day, first, next] of [
      ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z'],
      ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z'],
    ] as const) {
      const viewer = await viewerAt(`${day}T12:00:00.000Z`, 'Europe/Berlin');
      const at = async (title: string, ms: number) => {
        const start = new Date(ms).toISOString();
        await made(viewer, { title, start, end: new Date(ms + 60_000).toISOString() });
      };
      const minute = 60_000;
      await at('Before', Date.parse(first) - minute);
      await at('First', Date.parse(first));
      await at('Last', Date.parse(next) - minute);
      await at('After', Date.parse(next));
      expect(titles(await shown(viewer, 'calendar')), day).toEqual(['First', 'Last']);
    }
  });

  it('lists only your own events and those you are invited to', async () => {
    const [owner, guest] = [await viewerAt('2026-11-23T08:00:00.000Z'), await newViewer()];
    await made(owner, { title: 'Own' });
    await made(owner, { title: 'Together', attendees: [guest.id] });
    expect(titles(await shown(owner, 'calendar')).toSorted()).toEqual(['Own', 'Together']);
    expect(titles(await shown(guest, 'calendar'))).toEqual(['Together']);
  });
});

describe('GET /api/dashboard/tasks', () => {
  it('lists your own open tasks, earliest due first', async () => {
    const [viewer, other] = [await viewerAt('2026-11-21T12:00:00.000Z'), await newViewer()];
    const task = { type: 'task', attendees: [other.id] };
    const due = (day: string) => ({ start: `${day}T09:00:00Z`, end: `${day}T10:00:00Z` });
    const late = await made(viewer, { ...task, ...due('2026-12-24'), title: 'Later' });
    const soon = await made(viewer, {
      ...task,
      ...due('2026-11-20'),
      title: 'Overdue',
      description: 'At once',
      priority: 'high',
      status: 'in_progress',
    });
    await made(viewer, { ...task, ...due('2026-11-22'), title: 'Done', status: 'done' });
    await made(viewer, { ...due('2026-11-22'), title: 'A meeting' });
    expect(await shown(viewer, 'tasks')).toEqual([
      {
        id: soon.id,
        title: 'Overdue',
        description: 'At once',
        status: 'in_progress',
        priority: 'high',
        dueDate: '2026-11-20T10:00:00.000Z',
        createdAt: soon.createdAt,
        seriesId: null,
        occurrenceStart: null,
      },
      {
        id: late.id,
        title: 'Later',
        description: null,
        status: 'pending',
        priority: 'medium',
        dueDate: '2026-12-24T10:00:00.000Z',
        createdAt: late.createdAt,
        seriesId: null,
        occurrenceStart: null,
      },
    ]);
    expect(await shown(other, 'tasks')).toEqual([]);
  });
});

describe('months and days', () => {
  const days = async (viewer: Person, count: number) =>
    (await shown(viewer, 'visits', { days: String(count) })).map(
      ({ date, visits }: { date: string; visits: number }) => [date, visits],
    );
  const months = async (viewer: Person, count: number) =>
    (await shown(viewer, 'sales', { months: String(count) })).map(
      ({ month, orders }: { month: string; orders: number }) => [month, orders],
    );

  it('have a leap day', async () => {
    const viewer = await viewerAt('2028-02-29T23:59:59.999Z');
    await visit('2028-02-29T23:59:59.999Z', 1);
    await recorded(viewer);
    expect(await days(viewer, 2)).toEqual([
      ['2028-02-28', 0],
      ['2028-02-29', 1],
    ]);
    const later = await viewerAt('2028-03-01T00:00:00.000Z');
    await visit('2028-03-01T00:00:00.000Z', 2);
    expect(await days(later, 3)).toEqual([
      ['2028-02-28', 0],
      ['2028-02-29', 1],
      ['2028-03-01', 2],
    ]);
    expect(await months(later, 2)).toEqual([
      ['2028-02', 1],
      ['2028-03', 0],
    ]);
  });

  it('are exact at the end of long months and of a year', async () => {
    const viewer = await viewerAt('2029-03-31T12:00:00.000Z');
    expect((await months(viewer, 3)).map(([month]: [string]) => month)).toEqual([
      '2029-01',
      '2029-02',
      '2029-03',
    ]);
    const later = await viewerAt('2030-01-31T12:00:00.000Z');
    expect((await months(later, 3)).map(([month]: [string]) => month)).toEqual([
      '2029-11',
      '2029-12',
      '2030-01',
    ]);
    expect(listNewUserTotals(3)).toEqual([
      'newUsersOf202911',
      'newUsersOf202912',
      'newUsersOf203001',
    ]);
  });

  it('compare three full months on the last day of the longest three', async () => {
    // June 1 to August 31 spans 92 days.
    await visit('2031-06-01T00:00:00.000Z', 10);
    await visit('2031-07-01T00:00:00.000Z', 4);
    const viewer = await viewerAt('2031-08-31T23:59:59.000Z');
    await recorded(viewer, { soldAt: '2031-06-30T23:59:59.999Z' });
    await recorded(viewer, { soldAt: '2031-07-31T23:59:59.999Z' });
    expect((await shown(viewer, 'stats')).rateGrowth).toBe(15);
  });

  it('limit the conversion rate to 100 percent', async () => {
    await visit('2033-01-15T12:00:00.000Z', 2);
    await visit('2033-02-15T12:00:00.000Z', 1);
    await visit('2033-03-15T12:00:00.000Z', 2);
    const viewer = await viewerAt('2033-03-15T12:00:00.000Z');
    await recorded(viewer, { soldAt: '2033-01-15T12:00:00.000Z' });
    for (let n = 0; n < 3; n++) {
      await recorded(viewer, { soldAt: '2033-02-15T12:00:00.000Z' });
      await recorded(viewer, { soldAt: '2033-03-15T12:00:00.000Z' });
    }
    expect(await shown(viewer, 'stats')).toMatchObject({ conversionRate: 100, rateGrowth: 50 });
  });

  it('show a negative profit, and no growth from zero', async () => {
    const viewer = await viewerAt('2032-03-15T12:00:00.000Z');
    await recorded(viewer, { amount: 0, soldAt: '2032-01-15T12:00:00.000Z' });
    await recorded(viewer, { amount: 10, cost: 25, soldAt: '2032-02-15T12:00:00.000Z' });
    const stats = await shown(viewer, 'stats');
    expect(stats).toMatchObject({
      userGrowth: null,
      revenueGrowth: null,
      orderGrowth: 0,
      conversionRate: 0,
      rateGrowth: null,
    });
    expect((await shown(viewer, 'sales', { months: '2' }))[0]).toEqual({
      month: '2032-02',
      sales: 10,
      profit: -15,
      orders: 1,
    });
    expect(await months(viewer, 2)).toEqual([
      ['2032-02', 1],
      ['2032-03', 0],
    ]);
  });
});
