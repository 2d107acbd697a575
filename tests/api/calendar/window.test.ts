import { describe, expect, it } from 'vitest';
import { readOccurrences } from '../../../functions/api/calendar/events/occurrence-list.ts';
import {
  cancel,
  cancelOccurrence,
  create,
  halfHour,
  inWindow,
  list,
  look,
  made,
  newGuest,
  newPlanner,
  startsIn,
  updateOccurrence,
} from '../../support/calendar/calendar.ts';
import { expand, newFeed, textOf } from '../../support/calendar/feed.ts';
import { useVirtualTime } from '../../support/run/virtual-time.ts';
import { useMeter } from '../../support/table/meter.ts';
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useNewPeople, usePeople } from '../../support/users/use-people.ts';
import { putHistory } from './history.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

describe('GET /api/calendar/events', () => {
  const { ann } = usePeople({ ann: newPlanner });

  it('defaults to the current month in the time zone', async () => {
    const zones = {
      UTC: ['2026-11-01', '2026-12-01'],
      'Asia/Tokyo': ['2026-10-31T15', '2026-11-30T15'],
    };
    for (const [timezone, [start, end]] of Object.entries(zones)) {
      const { data } = (await list(ann, { timezone })).body;
      expect(data).toMatchObject({
        start: expect.stringContaining(start as string),
        end: expect.stringContaining(end as string),
        timezone,
      });
    }
    expect((await list(ann, { start: '' })).body.data).toEqual({
      items: [],
      total: 0,
      totalIsExact: true,
      page: 1,
      pageSize: 500,
      totalPages: 0,
      nextCursor: null,
      start: '2026-11-01T00:00:00.000Z',
      end: '2026-12-01T00:00:00.000Z',
      timezone: 'UTC',
      truncated: false,
      nextStart: null,
    });
  });

  it('defaults to one month from the start or before the end', async () => {
    const from = await list(ann, { start: '2026-01-15T06:00', timezone: 'Europe/Berlin' });
    expect(from.body.data.end).toBe('2026-02-15T05:00:00.000Z');
    const upTo = await list(ann, { end: '2026-03-15' });
    expect(upTo.body.data).toMatchObject({
      start: '2026-02-16T00:00:00.000Z',
      end: '2026-03-16T00:00:00.000Z',
    });
  });

  it.each([
    [{ start: 'x' }, 'start', expect.stringContaining('must be a date such as')],
    [{ start: '2026-11-02', end: '2026-11-01' }, 'end', 'must be after start'],
    [{ start: '2026-11-02', end: '2026-11-02T00:00' }, 'end', 'must be after start'],
    [{ start: '2026-01-01', end: '2126-01-03' }, 'end', 'must be at most 100 years after start'],
    [{ start: '0000-01-01' }, 'start', 'must be in the years 1 to 9999'],
    [{ timezone: 'Nowhere' }, 'timezone', 'must be an IANA time zone such as Europe/Berlin'],
  ])('rejects %j with an error in %s', async (query, field, message) => {
    const response = await list(ann, query as Record<string, string>);
    expect([response.status, response.body.error.details]).toEqual([400, [{ field, message }]]);
  });

  it('includes events that overlap the window, however early they start', async () => {
    const bob = await newPlanner();
    const events = [
      ['before', '2026-05-01T00:00Z', '2026-06-01T00:00Z', false],
      ['into', '2026-05-31T23:30Z', '2026-06-01T00:30Z', true],
      ['for weeks', '2026-05-10T00:00Z', '2026-06-02T00:00Z', true],
      ['for a year', '2025-07-01T00:00Z', '2026-06-30T00:00Z', true],
      ['a moment at its start', '2026-06-01T00:00Z', '2026-06-01T00:00Z', true],
      ['within', '2026-06-01T09:00Z', '2026-06-01T10:00Z', true],
      ['out of it', '2026-06-01T23:30Z', '2026-06-05T00:00Z', true],
      ['from its end', '2026-06-02T00:00Z', '2026-06-02T01:00Z', false],
      ['a moment at its end', '2026-06-02T00:00Z', '2026-06-02T00:00Z', false],
      ['over for weeks', '2026-05-01T00:00Z', '2026-05-20T00:00Z', false],
      ['over for months', '2025-08-01T00:00Z', '2026-05-20T00:00Z', false],
    ] as const;
    for (const [title, start, end] of events) await made(bob, { title, start, end });
    const { items } = await inWindow(bob, '2026-06-01', '2026-06-01');
    expect(items.map(({ title }: { title: string }) => title).sort()).toEqual(
      events
        .filter(([, , , isIn]) => isIn)
        .map(([title]) => title)
        .sort(),
    );
  });

  it('lists all-day events on their dates in every time zone', async () => {
    const bob = await newPlanner();
    await made(bob, { start: '2026-06-10', end: '2026-06-12', timezone: 'Asia/Tokyo' });
    await made(bob, {
      title: 'Early',
      start: '2026-06-10T00:30',
      end: '2026-06-10T01:00',
      timezone: 'Pacific/Kiritimati',
    });
    for (const timezone of ['Pacific/Kiritimati', 'UTC', 'Pacific/Pago_Pago']) {
      const on = (start: string, end: string) => startsIn(bob, start, end, { timezone });
      expect(await on('2026-06-10', '2026-06-10')).toContain('2026-06-10');
      expect(await on('2026-06-11', '2026-06-11')).toContain('2026-06-10');
      expect(await on('2026-06-08T12:00', '2026-06-09')).not.toContain('2026-06-10');
      expect(await on('2026-06-12', '2026-06-12')).toEqual([]);
    }
    expect(
      await startsIn(bob, '2026-06-10', '2026-06-10', { timezone: 'Pacific/Kiritimati' }),
    ).toEqual(['2026-06-10', '2026-06-09T10:30:00.000Z']);
  });

  it('expands recurring events and identifies each occurrence', async () => {
    const bob = await newPlanner();
    const { id } = await made(bob, { ...halfHour('2026-06-01'), rrule: 'FREQ=WEEKLY', title: 'W' });
    await made(bob, { ...halfHour('2026-06-08', '08'), title: 'Once' });
    const { items } = await inWindow(bob, '2026-06-01', '2026-06-14');
    expect(items).toMatchObject([
      {
        id,
        title: 'W',
        start: '2026-06-01T09:00:00.000Z',
        occurrenceStart: '2026-06-01T09:00:00.000Z',
      },
      {
        title: 'Once',
        start: '2026-06-08T08:00:00.000Z',
        occurrenceStart: null,
        recurrenceId: null,
      },
      {
        id,
        start: '2026-06-08T09:00:00.000Z',
        end: '2026-06-08T09:30:00.000Z',
        recurrenceId: '2026-06-08T09:00:00.000Z',
        rrule: 'FREQ=WEEKLY',
      },
    ]);
    expect(items[0]).not.toHaveProperty('exdates');
  });

  it('continues a truncated list until every occurrence is returned', async () => {
    const bob = await newPlanner();
    await made(bob, { ...halfHour('2026-01-01'), rrule: 'FREQ=DAILY;COUNT=700' });
    await made(bob, { ...halfHour('2026-01-01', '12'), rrule: 'FREQ=DAILY;INTERVAL=2;COUNT=350' });
    await made(bob, { start: '2026-03-01', end: null, rrule: 'FREQ=MONTHLY;COUNT=20' });
    const seen: string[] = [];
    let start: string | null = '2026-01-01';
    let pages = 0;
    while (start !== null) {
      const data = await inWindow(bob, start, '2056-01-01');
      expect(data.items.length).toBeLessThanOrEqual(500);
      expect(data.truncated).toBe(data.nextStart !== null);
      expect(data.totalIsExact).toBe(!data.truncated);
      for (const { id, start: at } of data.items) seen.push(`${id} ${at}`);
      start = data.nextStart;
      pages++;
    }
    expect(pages).toBe(3);
    expect(new Set(seen).size).toBe(1_070);
    // Events in progress at a page boundary appear on both pages.
    expect(seen.length).toBeLessThanOrEqual(1_072);
  });

  it('truncates the list before the response is too large', async () => {
    const bob = await newPlanner();
    const rrule = 'FREQ=DAILY;COUNT=500';
    const { id } = await made(bob, {
      ...halfHour('2026-01-01'),
      rrule,
      description: '"'.repeat(5_000),
    });
    const { items, truncated } = await inWindow(bob, '2026-01-01', '2028-01-01');
    expect(truncated).toBe(true);
    expect(items.length).toBeGreaterThan(100);
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(items)))).toBeLessThan(5_000_000);
    await cancel(bob, id);
  });

  it('limits the work for a century of any rule far from its start', async () => {
    const bob = await newPlanner();
    const rules = [
      'FREQ=DAILY;BYHOUR=8,9,10',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO',
      'FREQ=MONTHLY;BYDAY=5FR',
    ];
    for (const rrule of rules) await made(bob, { ...halfHour('1900-01-01'), rrule });
    const start = Date.UTC(9_800, 0);
    const { occurrences, isTruncated, steps } = await readOccurrences(bob.id, {
      start,
      end: Date.UTC(9_900, 0),
      timezone: 'UTC',
    });
    expect([occurrences.length, isTruncated]).toEqual([500, true]);
    expect(steps).toBeLessThan(20_000);
    const yearly = await inWindow(bob, '9800-01-01', '9899-12-31');
    expect(yearly.items[0].start).toBe('9800-01-01T08:00:00.000Z');
  });
});

describe('cost of GET /api/calendar/events', () => {
  const aws = useMeter();

  it('is the same after 10 and 2000 past events', async () => {
    const costs: unknown[] = [];
    for (const count of [10, 2_000]) {
      const person = await newPlanner();
      await putHistory(person.id, count);
      await made(person, halfHour('2026-11-23'));
      await made(person, { ...halfHour('2026-11-23'), rrule: 'FREQ=DAILY' });
      const { readUnits, requests, trips, result } = await aws.measure(() =>
        inWindow(person, '2026-11-01', '2026-11-30'),
      );
      expect(result.items).toHaveLength(9);
      costs.push({ readUnits, requests, trips });
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[0]).toMatchObject({ readUnits: expect.any(Number), trips: 3 });
  });
});

describe('the limits of time', () => {
  const { ann, bob } = useNewPeople({ ann: newPlanner, bob: newGuest });

  const november = ['2026-11-01', '2026-12-01'] as const;
  const zones = ['UTC', 'America/Los_Angeles', 'Pacific/Kiritimati'];
  const monday = { start: '2026-11-23T09:00', end: '2026-11-23T10:00' };

  /** Returns the sort times of a user's calendar entries, without ids. */
  const placesOf = async ({ id }: Person): Promise<string[]> =>
    (await itemsOf(`CALENDAR#${id}`)).map(({ sk }) => String(sk).split('#')[1] ?? '');

  describe('UNTIL near the maximum date', () => {
    it.each([
      ['UNTIL=99991231', '9998-12-30T00:00:00.000Z'],
      ['UNTIL=99991231T235959Z', '9998-12-30T00:00:00.000Z'],
      ['UNTIL=99990101T000000', '9998-12-30T00:00:00.000Z'],
      ['UNTIL=99981229T120000Z', '9998-12-29T12:00:00.000Z'],
    ])('accepts %s in every time zone', async (until, last) => {
      for (const timezone of zones) {
        const event = await made(ann, {
          ...monday,
          timezone,
          rrule: `FREQ=WEEKLY;${until}`,
          attendees: [bob.id],
        });
        const written = last.replaceAll(/[-:]|\.000/g, '');
        expect(event.rrule).toBe(`FREQ=WEEKLY;UNTIL=${written}`);
        expect((await look(bob, event.id)).body.data).toEqual({ ...event, owner: 'Pia Planner' });
        expect(await startsIn(bob, ...november)).toEqual([
          event.start,
          new Date(Date.parse(event.start) + 7 * 86_400_000).toISOString(),
        ]);
        const over = new Date(Date.parse(last) + 3_600_000).toISOString();
        expect(await placesOf(bob)).toEqual([over]);
        await cancel(ann, event.id);
      }
    });

    it('limits the end of an all-day event', async () => {
      const { rrule } = await made(ann, {
        start: '2026-11-23',
        end: '2027-11-24',
        rrule: 'FREQ=WEEKLY;UNTIL=99991231',
      });
      expect(rrule).toBe('FREQ=WEEKLY;UNTIL=99981230');
      expect(await startsIn(ann, ...november)).toEqual(['2026-11-23', '2026-11-30']);
      expect(await placesOf(ann)).toEqual(['9999-12-31T00:00:00.000Z']);
      const feed = await textOf(await newFeed(ann));
      expect(feed).toContain('RRULE:FREQ=WEEKLY;UNTIL=99981230\r\n');
    });

    it('keeps the event editable and readable in the feed', async () => {
      const { id } = await made(ann, {
        ...monday,
        timezone: 'America/Los_Angeles',
        rrule: 'FREQ=WEEKLY;UNTIL=99991231',
      });
      expect((await updateOccurrence(ann, id, '2026-11-30', { title: 'Special' })).status).toBe(
        200,
      );
      expect((await cancelOccurrence(ann, id, '2026-12-07')).status).toBe(200);
      const text = await textOf(await newFeed(ann));
      const window = ['2026-11-01T00:00:00.000Z', '2026-12-16T00:00:00.000Z'] as const;
      expect(expand(text, ...window).map(({ title, start }) => [title, start])).toEqual([
        ['An event', '2026-11-23T17:00:00.000Z'],
        ['Special', '2026-11-30T17:00:00.000Z'],
        ['An event', '2026-12-14T17:00:00.000Z'],
      ]);
    });

    it('ends an unlimited series at the maximum date', async () => {
      const forEver = await made(ann, {
        start: '2026-11-23',
        end: '2027-11-24',
        rrule: 'FREQ=DAILY',
      });
      expect(await startsIn(ann, '9998-12-29', '9998-12-31')).toContain('9998-12-30');
      for (const timezone of zones) {
        const { items } = await inWindow(ann, '9999-12-30', '9999-12-31T09:00', { timezone });
        const ends: string[] = items.map(({ end }: { end: string }) => end);
        expect(ends.filter((end) => !/^9999-\d\d-\d\d$/.test(end))).toEqual([]);
      }
      const named = await updateOccurrence(ann, forEver.id, '9998-12-30', { title: 'The last' });
      expect(named.body.data.overrides).toMatchObject([
        { start: '9998-12-30', end: '9999-12-31', title: 'The last' },
      ]);
      expect((await updateOccurrence(ann, forEver.id, '9998-12-31', { title: 'X' })).status).toBe(
        404,
      );
      expect((await updateOccurrence(ann, forEver.id, '9999-12-31', { title: 'X' })).status).toBe(
        404,
      );
    });
  });

  describe('window near the minimum and maximum dates', () => {
    it.each(zones)('returns an empty list in %s', async (timezone) => {
      for (const query of [
        { start: '9999-12-01' },
        { start: '9999-12-30T12:00' },
        { start: '9999-12-30', end: '9999-12-31' },
        { start: '9990-01-01', end: '9999-12-31T09:00' },
        { end: '0001-01-03' },
      ]) {
        const { status, body } = await list(ann, { ...query, timezone });
        expect([status, body.data?.items]).toEqual([200, []]);
        expect(body.data.end).toMatch(/^\d{4}-/);
      }
    });

    it.each([
      ['10000-01-01', expect.stringContaining('must be a date such as')],
      ['+010000-01-01', expect.stringContaining('must be a date such as')],
      ['-000001-01-01', expect.stringContaining('must be a date such as')],
      ['0000-06-01', 'must be in the years 1 to 9999'],
      ['9999-12-31T23:59:59-12:00', 'must be in the years 1 to 9999'],
    ])('rejects %s as start', async (start, message) => {
      const { status, body } = await list(ann, { start });
      expect([status, body.error.details]).toEqual([400, [{ field: 'start', message }]]);
    });
  });

  describe('start of an event', () => {
    it.each([
      ['1900-01-01T00:00:00Z', 'UTC'],
      ['1969-12-31T23:59:00', 'America/Los_Angeles'],
      ['1970-01-01T00:00:00', 'Pacific/Kiritimati'],
      ['2199-12-31T23:59:00Z', 'UTC'],
    ])('lists an event from %s in %s at its start and centuries later', async (start, timezone) => {
      const rrule = 'FREQ=DAILY;UNTIL=99991231';
      const event = await made(ann, { start, end: null, timezone, rrule });
      const day = Date.parse(event.start);
      const iso = (ms: number) => new Date(ms).toISOString();
      expect(await startsIn(ann, iso(day), iso(day + 86_400_000))).toEqual([event.start]);
      expect(await startsIn(ann, iso(day - 86_400_000), iso(day))).toEqual([]);
      expect(await startsIn(ann, '9000-01-01', '9000-01-02')).toHaveLength(2);
      await cancel(ann, event.id);
      const once = await made(ann, { start, end: null, timezone });
      expect(await startsIn(ann, iso(day), iso(day + 1_000))).toEqual([once.start]);
    });

    it.each(['1899-12-31T23:59:59Z', '2200-01-01', '9999-12-31', '0000-01-01'])(
      'rejects %s',
      async (start) => {
        const { status, body } = await create(ann, { start, end: null });
        expect([status, body.error.details]).toEqual([
          400,
          [{ field: 'start', message: 'must be in the years 1900 to 2199' }],
        ]);
      },
    );
  });
});
