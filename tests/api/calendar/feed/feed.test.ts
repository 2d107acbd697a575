import { describe, expect, it } from 'vitest';
import {
  attend,
  cancelOccurrence,
  made,
  newGuest,
  newPlanner,
  updateOccurrence,
} from '../../../support/calendar/calendar.ts';
import { answered, expand, newFeed, textOf } from '../../../support/calendar/feed.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useTable } from '../../../support/table/table.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');

const { ann } = useNewPeople({ ann: newPlanner });

const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n');

describe('occurrences in the feed', () => {
  const window = ['2026-09-01T00:00:00.000Z', '2027-11-15T00:00:00.000Z'] as const;
  const berlin = { timezone: 'Europe/Berlin' };

  const events: Readonly<Record<string, object>> = {
    'a single event': {},
    'a moment': { start: '2026-11-23T09:00:00Z', end: null },
    'a single event at an ambiguous time': {
      ...{ start: '2027-10-31T01:30:00Z', end: '2027-10-31T01:45:00Z' },
      ...berlin,
    },
    'an all-day event': { start: '2026-12-24', end: '2026-12-27' },
    'a daily event across both DST changes': {
      ...{ start: '2026-10-20T09:00', end: '2026-10-20T10:00', rrule: 'FREQ=DAILY' },
      ...berlin,
    },
    'a time in a DST gap and an ambiguous time': {
      ...{ start: '2026-10-20T02:30', end: '2026-10-20T02:40', rrule: 'FREQ=DAILY' },
      ...berlin,
    },
    'a time in a DST gap with COUNT': {
      ...{ start: '2027-03-26T02:30', end: '2027-03-26T02:40', rrule: 'FREQ=DAILY;COUNT=5' },
      ...berlin,
    },
    'a night across both DST changes': {
      ...{ start: '2026-10-20T22:00', end: '2026-10-21T06:00', rrule: 'FREQ=DAILY' },
      ...berlin,
    },
    'a time span across a DST change': {
      start: '2027-03-28T01:45',
      end: '2027-03-28T03:10',
      rrule: 'FREQ=YEARLY',
      ...berlin,
    },
    'several times a day': {
      start: '2027-03-26T01:30',
      end: '2027-03-26T01:40',
      rrule: 'FREQ=DAILY;BYHOUR=1,2,3;BYMINUTE=0,30;COUNT=30',
      ...berlin,
    },
    'a start at the second instant of an ambiguous time': {
      start: '2027-10-31T01:30:00Z',
      end: '2027-10-31T01:40:00Z',
      rrule: 'FREQ=DAILY',
      ...berlin,
    },
    'a rule that ends with UNTIL': { rrule: 'FREQ=WEEKLY;BYDAY=MO,WE,FR;UNTIL=20270101' },
    'a rule that ends with COUNT': { rrule: 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=4' },
    'the last working day of a month': {
      start: '2026-11-30T16:00',
      end: '2026-11-30T17:00',
      rrule: 'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
      timezone: 'America/New_York',
    },
    'every other week from Sunday': {
      start: '2026-11-24T09:00',
      end: '2026-11-24T10:00',
      rrule: 'FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU',
      timezone: 'Australia/Lord_Howe',
    },
    'an all-day event each year': { start: '2020-02-28', end: null, rrule: 'FREQ=YEARLY' },
    'an all-day event each month, with UNTIL': {
      start: '2026-10-31',
      end: '2026-11-01',
      rrule: 'FREQ=MONTHLY;UNTIL=20270831',
    },
    'canceled times': {
      start: '2026-11-23T09:00',
      end: '2026-11-23T10:00',
      rrule: 'FREQ=DAILY;COUNT=10',
      exdates: ['2026-11-23', '2026-11-26'],
      timezone: 'Asia/Kolkata',
    },
    'canceled days': {
      ...{ start: '2026-11-23', end: '2026-11-25', rrule: 'FREQ=WEEKLY;COUNT=10' },
      exdates: ['2026-11-30'],
    },
    'an alias of a time zone': {
      ...{ start: '2026-11-23T09:00', end: '2026-11-23T10:00', rrule: 'FREQ=WEEKLY' },
      timezone: 'us/pacific',
    },
  };

  it.each(Object.entries(events))('match the API for %s', async (_, event) => {
    await made(ann, event);
    const text = await textOf(await newFeed(ann));
    const expected = await answered(ann, ...window);
    expect(expected.length).toBeGreaterThan(0);
    expect(expand(text, ...window)).toEqual(expected);
  });

  it('match the API for moved, renamed or canceled occurrences', async () => {
    const { id } = await made(ann, {
      start: '2026-11-23T09:00',
      end: '2026-11-23T10:00',
      rrule: 'FREQ=DAILY;COUNT=10',
      ...berlin,
    });
    await updateOccurrence(ann, id, '2026-11-24', {
      start: '2026-12-24T18:00:00Z',
      title: 'Later',
    });
    await updateOccurrence(ann, id, '2026-11-25', { start: '2026-11-25T07:00:00Z' });
    await cancelOccurrence(ann, id, '2026-11-26');
    const allDay = await made(ann, { start: '2026-11-23', rrule: 'FREQ=DAILY;COUNT=5', end: null });
    await updateOccurrence(ann, allDay.id, '2026-11-24', {
      start: '2026-12-26',
      end: '2026-12-28',
    });
    const text = await textOf(await newFeed(ann));
    expect(expand(text, ...window)).toEqual(await answered(ann, ...window));
  });
});

describe('calendar feed', () => {
  it('contains accepted and pending invitations and no events of others', async () => {
    const [bob, cat] = [await newGuest(), await newGuest()];
    const attendees = [bob.id];
    const titles = ['Accepted', 'Declined', 'Pending'];
    const [accepted, declined] = await Promise.all(
      titles.map((title) => made(ann, { title, attendees })),
    );
    await made(ann, { title: 'Private' });
    await attend(bob, accepted.id, 'accepted');
    await attend(bob, declined.id, 'declined');
    const text = await textOf(await newFeed(bob));
    const summaries = linesOf(text).filter((line) => /^(SUMMARY|STATUS):/.test(line));
    expect(summaries.sort()).toEqual([
      'STATUS:CONFIRMED',
      'STATUS:TENTATIVE',
      'SUMMARY:Accepted',
      'SUMMARY:Pending',
    ]);
    expect(linesOf(await textOf(await newFeed(cat)))).not.toContain('BEGIN:VEVENT');
  });

  it('escapes line breaks in texts of users', async () => {
    const evil = 'A\r\nX-EVIL:1\nX-EVIL:2\rX-EVIL:3;a,b\\c\\n"d": 😀';
    await made(ann, {
      title: 'Lunch; with, Bob \\n "x"',
      description: `${evil}\t${'é'.repeat(300)}${'😀'.repeat(100)}`,
      location: 'BEGIN:VALARM;x=1,2\\',
    });
    const text = await textOf(await newFeed(ann));
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true);
    const lines = text.split('\r\n');
    expect(lines.filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(linesOf(text).filter((line) => /^(X-EVIL|BEGIN:VALARM)/.test(line))).toEqual([]);
    const ICAL = (await import('ical.js')).default;
    const event = new ICAL.Component(ICAL.parse(text)).getFirstSubcomponent('vevent');
    expect(event?.getFirstPropertyValue('summary')).toBe('Lunch; with, Bob \\n "x"');
    expect(event?.getFirstPropertyValue('location')).toBe('BEGIN:VALARM;x=1,2\\');
    expect(event?.getFirstPropertyValue('description')).toBe(
      `A\nX-EVIL:1\nX-EVIL:2\nX-EVIL:3;a,b\\c\\n"d": 😀\t${'é'.repeat(300)}${'😀'.repeat(100)}`,
    );
  });

  it('follows the format of RFC 5545', async () => {
    const event = await made(ann, {
      title: 'Board meeting',
      start: '2026-11-24T09:30',
      end: '2026-11-24T10:30',
      timezone: 'Europe/Berlin',
      rrule: 'FREQ=MONTHLY;BYDAY=4TU;COUNT=3',
      exdates: ['2026-12-22'],
      location: 'Room 2',
      color: 'teal',
      priority: 'high',
    });
    const lines = linesOf(await textOf(await newFeed(ann)));
    expect(lines.slice(0, 3)).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Handbill//Calendar//EN',
    ]);
    expect(lines).toContain('TZID:Europe/Berlin');
    const at = '20261121T120000Z';
    expect(lines.slice(lines.indexOf('BEGIN:VEVENT'))).toEqual([
      'BEGIN:VEVENT',
      'DTSTART;TZID=Europe/Berlin:20261124T093000',
      'DTEND;TZID=Europe/Berlin:20261124T103000',
      'RRULE:FREQ=MONTHLY;BYDAY=4TU;UNTIL=20270126T083000Z',
      'EXDATE;TZID=Europe/Berlin:20261222T093000',
      expect.stringMatching(new RegExp(`^UID:event-${event.id}@[\\w.-]+$`)),
      `DTSTAMP:${at}`,
      `CREATED:${at}`,
      `LAST-MODIFIED:${at}`,
      'SEQUENCE:0',
      'SUMMARY:Board meeting',
      'LOCATION:Room 2',
      'CATEGORIES:MEETING',
      'PRIORITY:1',
      'STATUS:CONFIRMED',
      'COLOR:teal',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('contains single events from 90 days ago to a year ahead', async () => {
    const day = 86_400_000;
    const on = (days: number) => new Date(Date.now() + days * day).toISOString();
    for (const days of [-92, -89, 364, 367]) {
      await made(ann, { title: `${days}`, start: on(days), end: on(days) });
    }
    const summaries = linesOf(await textOf(await newFeed(ann))).filter((line) =>
      line.startsWith('SUMMARY'),
    );
    expect(summaries.sort()).toEqual(['SUMMARY:-89', 'SUMMARY:364']);
  });

  it('is a valid calendar without events', async () => {
    const text = await textOf(await newFeed(ann));
    expect(expand(text, '2026-01-01T00:00:00.000Z', '2028-01-01T00:00:00.000Z')).toEqual([]);
    expect(linesOf(text)).toContain('BEGIN:VTIMEZONE');
  });
});
