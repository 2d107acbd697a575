import { describe, expect, it } from 'vitest';
import { parseRecurrence, toSchedule } from '../../../functions/api/calendar/record/schedule.ts';
import type { Recurrence } from '../../../functions/api/calendar/recurrence/recurrence.ts';
import {
  iso,
  recurrenceOf,
  scheduleOf,
  startsIn,
  years,
} from '../../support/calendar/recurrences.ts';

const unchanged = (time: string) => ({ recurrenceId: time, start: time, end: time });

/** Returns the first starts of a rule in UTC. */
const firstStarts = (rrule: string, start: string, timezone: string, count: number) =>
  iso(startsIn(recurrenceOf(rrule, start, timezone), Date.UTC(1900), Date.UTC(2300), count).starts);

describe('recurrence rule', () => {
  it.each([
    [
      'keeps the local time at the start of DST in Berlin',
      ['FREQ=DAILY', '2026-03-28T09:00', 'Europe/Berlin'],
      ['2026-03-28T08:00Z', '2026-03-29T07:00Z', '2026-03-30T07:00Z'],
    ],
    [
      'keeps the local time at the end of DST in Berlin',
      ['FREQ=DAILY', '2026-10-24T09:00', 'Europe/Berlin'],
      ['2026-10-24T07:00Z', '2026-10-25T08:00Z', '2026-10-26T08:00Z'],
    ],
    [
      'skips a time in the DST gap in Berlin',
      ['FREQ=DAILY', '2026-03-28T02:30', 'Europe/Berlin'],
      ['2026-03-28T01:30Z', '2026-03-30T00:30Z', '2026-03-31T00:30Z'],
    ],
    [
      'uses the first instant of an ambiguous time in Berlin',
      ['FREQ=DAILY', '2026-10-24T02:30', 'Europe/Berlin'],
      ['2026-10-24T00:30Z', '2026-10-25T00:30Z', '2026-10-26T01:30Z'],
    ],
    [
      'starts with the second instant if that is the start',
      ['FREQ=DAILY', '2026-10-25T01:30:00Z', 'Europe/Berlin'],
      ['2026-10-25T01:30Z', '2026-10-26T01:30Z', '2026-10-27T01:30Z'],
    ],
    [
      'keeps the local time at the start of DST in New York',
      ['FREQ=WEEKLY', '2026-03-01T17:00', 'America/New_York'],
      ['2026-03-01T22:00Z', '2026-03-08T21:00Z', '2026-03-15T21:00Z'],
    ],
    [
      'keeps the local time at the end of DST in New York',
      ['FREQ=WEEKLY', '2026-10-25T17:00', 'America/New_York'],
      ['2026-10-25T21:00Z', '2026-11-01T22:00Z', '2026-11-08T22:00Z'],
    ],
    [
      'skips a time in the DST gap in New York',
      ['FREQ=WEEKLY', '2026-03-01T02:30', 'America/New_York'],
      ['2026-03-01T07:30Z', '2026-03-15T06:30Z', '2026-03-22T06:30Z'],
    ],
    [
      'follows the half-hour change at the end of DST on Lord Howe',
      ['FREQ=DAILY', '2026-04-04T09:00', 'Australia/Lord_Howe'],
      ['2026-04-03T22:00Z', '2026-04-04T22:30Z', '2026-04-05T22:30Z'],
    ],
    [
      'follows the half-hour change at the start of DST on Lord Howe',
      ['FREQ=DAILY', '2026-10-03T09:00', 'Australia/Lord_Howe'],
      ['2026-10-02T22:30Z', '2026-10-03T22:00Z', '2026-10-04T22:00Z'],
    ],
    [
      'skips a time in the half-hour DST gap on Lord Howe',
      ['FREQ=DAILY', '2026-10-03T02:15', 'Australia/Lord_Howe'],
      ['2026-10-02T15:45Z', '2026-10-04T15:15Z', '2026-10-05T15:15Z'],
    ],
    [
      'skips the missing day in Samoa',
      ['FREQ=DAILY', '2011-12-29T09:00', 'Pacific/Apia'],
      ['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z'],
    ],
    [
      'recurs only on leap days',
      ['FREQ=YEARLY', '2024-02-29T09:00', 'UTC'],
      ['2024-02-29T09:00Z', '2028-02-29T09:00Z', '2032-02-29T09:00Z'],
    ],
    [
      'skips 2100, which has no leap day',
      ['FREQ=YEARLY', '2096-02-29T09:00', 'UTC'],
      ['2096-02-29T09:00Z', '2104-02-29T09:00Z', '2108-02-29T09:00Z'],
    ],
    [
      'recurs every second week from WKST',
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU', '1997-08-05T09:00', 'UTC'],
      ['1997-08-05T09:00Z', '1997-08-17T09:00Z', '1997-08-19T09:00Z'],
    ],
    [
      'recurs in a week of the year',
      ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO', '1997-05-12T09:00', 'UTC'],
      ['1997-05-12T09:00Z', '1998-05-11T09:00Z', '1999-05-17T09:00Z'],
    ],
    [
      'recurs on a day of the month in a week of the year',
      ['FREQ=YEARLY;BYWEEKNO=20;BYMONTHDAY=15', '2025-05-15T09:00', 'UTC'],
      ['2025-05-15T09:00Z', '2026-05-15T09:00Z', '2028-05-15T09:00Z'],
    ],
    [
      'starts with its first occurrence if that is later than the start',
      ['FREQ=WEEKLY;BYDAY=FR', '2026-11-23T09:00', 'UTC'],
      ['2026-11-27T09:00Z', '2026-12-04T09:00Z', '2026-12-11T09:00Z'],
    ],
  ] as const)('%s', (_, [rrule, start, timezone], expected) => {
    expect(firstStarts(rrule, start, timezone, 3)).toEqual(expected);
  });

  it.each([
    ['UNTIL=20261125T090000Z', 'UTC', 3],
    ['UNTIL=20261125T085959Z', 'UTC', 2],
    ['UNTIL=20261125', 'UTC', 3],
    // UNTIL includes that day in New York.
    ['UNTIL=20261124', 'America/New_York', 2],
    ['UNTIL=20261125T090000', 'Europe/Berlin', 3],
    ['COUNT=1', 'UTC', 1],
    ['COUNT=7', 'Europe/Berlin', 7],
  ])('with %s in %s returns %i occurrences', (end, timezone, count) => {
    const recurrence = recurrenceOf(`FREQ=DAILY;${end}`, '2026-11-23T09:00', timezone);
    expect(startsIn(recurrence, ...years(2020, 2100)).starts).toHaveLength(count);
  });

  it('returns dates for an all-day event in every time zone', () => {
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
      const schedule = scheduleOf('FREQ=DAILY;UNTIL=20260330', '2026-03-28', zone);
      const recurrence = parseRecurrence(schedule) as Recurrence;
      expect(schedule).toMatchObject({
        allDay: true,
        start: '2026-03-28',
        end: '2026-03-29',
        rrule: 'FREQ=DAILY;UNTIL=20260330',
      });
      expect(iso(startsIn(recurrence, ...years(2026, 2027)).starts)).toEqual([
        '2026-03-28T00:00Z',
        '2026-03-29T00:00Z',
        '2026-03-30T00:00Z',
      ]);
    }
  });

  it.each([
    'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23',
    'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-1,366,1,2,3',
  ])('keeps all exdates of %s', (rrule) => {
    const recurrence = recurrenceOf(rrule, '2026-01-01T12:00', 'Europe/Berlin');
    const { starts } = startsIn(recurrence, ...years(2026, 2100), 200);
    expect(starts).toHaveLength(200);
    const exdates = starts.map((start) => new Date(start).toISOString());
    const schedule = scheduleOf(rrule, '2026-01-01T12:00', 'Europe/Berlin', exdates);
    expect(schedule.exdates).toEqual(exdates);
    const given = { ...schedule, rrule, exdates: undefined };
    const changed = { ...schedule, overrides: exdates.slice(0, 50).map(unchanged) };
    expect(toSchedule(given, changed)).toMatchObject({ exdates, overrides: changed.overrides });
    const named = [...new Set(exdates.map((time) => time.slice(0, 10)))];
    const byDate = scheduleOf(rrule, '2026-01-01T12:00', 'Europe/Berlin', named);
    expect(byDate.exdates).toHaveLength(named.length);
  });
});
