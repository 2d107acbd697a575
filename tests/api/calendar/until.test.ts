import { describe, expect, it } from 'vitest';
import {
  cancel,
  cancelOccurrence,
  create,
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
import { itemsOf, useTable } from '../../support/table/table.ts';
import type { Person } from '../../support/users/test-users.ts';
import { useNewPeople } from '../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

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
    expect((await updateOccurrence(ann, id, '2026-11-30', { title: 'Special' })).status).toBe(200);
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
