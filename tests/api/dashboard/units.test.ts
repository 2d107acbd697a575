// Whether the dashboard costs the same however much it adds up. `tests/contract/budget.test.ts` has what each request costs.
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../functions/api/calendar/record/event.ts';
import { indexWrites } from '../../../functions/api/calendar/record/index-entries.ts';
import { eventKeys } from '../../../functions/api/calendar/record/keys.ts';
import { toSchedule } from '../../../functions/api/calendar/record/schedule.ts';
import { saleKeys } from '../../../functions/api/sales/keys.ts';
import { activityKeys } from '../../../shared/activity/keys.ts';
import { counterKeys } from '../../../shared/counters/keys.ts';
import { getSetting } from '../../../shared/runtime/settings.ts';
import { ask, newViewer, shown } from '../../support/dashboard/dashboard.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { putItems } from '../../support/table/batch-writes.ts';
import { useMeter } from '../../support/table/meter.ts';
import { useTable } from '../../support/table/table.ts';
import { usePeople } from '../../support/users/use-people.ts';

const now = '2026-11-21T12:00:00.000Z';
useVirtualTime(now);
useTable();

const meter = useMeter();
const { viewer } = usePeople({ viewer: newViewer });

const counted = [
  'users',
  'activeUsers',
  'shares',
  'documents',
  'files',
  'messages',
  'pendingTasks',
  'sales',
  'newUsersOf202609',
  'newUsersOf202610',
  'newUsersOf202611',
];
const months = ['2026-09', '2026-10', '2026-11'];
const daysMs = 86_400_000;
const currency = getSetting('CURRENCY');

/** Returns all counters that the dashboard reads, with the values for n records of each kind. */
const countersOf = (count: number): object[] => {
  const sums = { sales: count * 100, profit: count * 40, orders: count };
  const inEach = (shards: number, make: (shard: number) => readonly object[]) =>
    Array.from({ length: shards }, (_, shard) => make(shard)).flat();
  return [
    ...inEach(16, (shard) => [
      {
        ...counterKeys.total.at({ shard }),
        ...Object.fromEntries(counted.map((name) => [name, count])),
      },
    ]),
    ...inEach(8, (shard) => [
      ...months.map((month) => ({
        ...saleKeys.monthlyTotals.at({ currency, month, shard }),
        ...sums,
      })),
      ...['Books', 'Music', ''].map((name) => ({
        ...saleKeys.categoryTotals.at({ currency, category: name, shard }),
        ...sums,
      })),
      { ...saleKeys.totals.at({ currency, shard }), ...sums },
    ]),
    ...inEach(4, (shard) =>
      Array.from({ length: 93 }, (_, at) => ({
        ...activityKeys.day.at({
          day: new Date(Date.parse(now) - at * daysMs).toISOString().slice(0, 10),
          shard,
        }),
        visits: count,
        uniqueVisitors: count,
        pageViews: count,
      })),
    ),
  ];
};

const first = Date.parse('2026-11-20T00:00:00Z');

/** Returns the viewer's open tasks between two positions: one every ten minutes, starting before today. */
const tasksOf = (from: number, to: number): object[] =>
  Array.from({ length: to - from }, (_, at) => {
    const start = new Date(first + (from + at) * 600_000).toISOString();
    const event: StoredEvent = {
      id: 1_000_000 + from + at,
      ownerId: viewer.id,
      title: 'A task',
      type: 'task',
      priority: 'medium',
      status: 'pending',
      attendees: [],
      reminders: [],
      sequence: 0,
      createdAt: now,
      updatedAt: now,
      version: 1,
      ...toSchedule({
        start,
        end: start,
        allDay: false,
        timezone: 'UTC',
        rrule: undefined,
        exdates: [],
      }),
    };
    const places = indexWrites(undefined, event).map(({ Put }) => Put?.Item ?? {});
    return [{ ...event, ...eventKeys.record.at({ id: event.id }) }, ...places];
  }).flat();

const queries: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['stats', {}],
  ['visits', {}],
  ['visits', { days: '90' }],
  ['sales', {}],
  ['pie', {}],
  ['pie', { by: 'content' }],
  ['tasks', {}],
  ['calendar', {}],
];

const costs = async () => {
  const all: Record<string, object> = {};
  for (const [name, query] of queries) {
    const { result, readUnits, writeUnits, tableTrips } = await meter.measure(() =>
      ask(viewer, name, query),
    );
    expect(result.status).toBe(200);
    all[[name, ...Object.values(query)].join(' ')] = { readUnits, writeUnits, trips: tableTrips };
  }
  return all;
};

describe('the table reads of an endpoint', () => {
  it('are independent of the number of records', async () => {
    // Three days of tasks; later ones are due after those in the response.
    await putItems([...countersOf(10), ...tasksOf(0, 432)]);
    const few = await costs();
    await putItems([...countersOf(10_000), ...tasksOf(432, 2_000)]);
    expect((await shown(viewer, 'stats')).totalUsers).toBe(160_000);
    expect(await costs()).toEqual(few);
  });
});
