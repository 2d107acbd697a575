import { describe, expect, it } from 'vitest';
import { parseRecurrence, toSchedule } from '../../../functions/api/calendar/record/schedule.ts';
import {
  createWorkBudget,
  endOfTime,
  findNthStart,
  type Recurrence,
} from '../../../functions/api/calendar/recurrence/recurrence.ts';
import { frequencies, parseRule } from '../../../functions/api/calendar/recurrence/rule.ts';
import { iteratePeriods } from '../../../functions/api/calendar/recurrence/rule-starts.ts';
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

const rules = [
  'FREQ=DAILY',
  'FREQ=DAILY;INTERVAL=7',
  'FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR',
  'FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR',
  'FREQ=MONTHLY;BYMONTHDAY=31',
  'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
  'FREQ=YEARLY',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
  'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO',
  'FREQ=YEARLY;BYYEARDAY=366',
  'FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366',
  'FREQ=YEARLY;INTERVAL=1000',
];

describe('work of expanding a rule', () => {
  it.each(rules)('is limited for a month of %s, even in 8000 years', (rrule) => {
    const recurrence = recurrenceOf(rrule, '2026-01-01T09:00', 'Europe/Berlin');
    const near = startsIn(recurrence, Date.UTC(2026, 2), Date.UTC(2026, 3));
    const far = startsIn(recurrence, Date.UTC(9_998, 2), Date.UTC(9_998, 3));
    // The two periods of the month can differ in length.
    expect(Math.abs(far.steps - near.steps)).toBeLessThanOrEqual(366);
    expect(Math.max(near.steps, far.steps)).toBeLessThan(4_000);
  });

  it.each(rules)('is limited to one check per day for a century of %s', (rrule) => {
    const recurrence = recurrenceOf(rrule, '1900-01-01T09:00', 'Europe/Berlin');
    const { starts, steps } = startsIn(recurrence, ...years(2_900, 3_000));
    // Each start takes 3 more steps, and the search reads some extra starts.
    expect(steps).toBeLessThan(101 * 366 + 3 * (starts.length + 128));
  });

  it.each([
    ['YEARLY;BYMONTH=2;BYMONTHDAY=29', '2904', 1],
    ['YEARLY', '2901', 1],
    ['YEARLY;BYDAY=20MO', '2901', 1],
    ['YEARLY;BYDAY=2SU;BYMONTH=3,10', '2901', 2],
    ['YEARLY;BYWEEKNO=20', '2901', 1],
    ['YEARLY;BYYEARDAY=1,100,-1', '2901', 3],
    ['YEARLY;BYMONTHDAY=13;BYDAY=FR', '2901', 12],
    ['YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1', '2901', 260],
    ['MONTHLY;BYDAY=-1FR', '2901-02', 1],
    ['MONTHLY;BYDAY=SA,SU;BYSETPOS=-1', '2901-02', 8],
    ['WEEKLY;BYDAY=MO,WE', '2901-01-10', 2],
    ['DAILY;BYMONTH=1', '2901-01-10', 1],
  ])('for one period of %s from %s checks %i days', (rule, date, days) => {
    const from = Date.parse(date);
    const nextPeriod = iteratePeriods(
      parseRule(`FREQ=${rule}`, false),
      Date.UTC(1900, 0, 1, 9),
      from,
    );
    expect(nextPeriod().daysChecked).toBe(days);
  });

  it('ends with the work budget for every rule without occurrences', () => {
    const parts = [
      'BYMONTH=2',
      'BYWEEKNO=53',
      'BYYEARDAY=366',
      'BYMONTHDAY=30',
      'BYDAY=MO',
      'BYDAY=MO,TU,WE,TH,FR,SA,SU',
      'BYHOUR=9',
      'BYSETPOS=366',
      'BYSETPOS=-366',
    ];
    const rules = frequencies.flatMap((frequency) =>
      parts.flatMap((one, at) =>
        parts.slice(at).map((other) => `FREQ=${frequency};${[...new Set([one, other])].join(';')}`),
      ),
    );
    const left = rules.flatMap((text) => {
      try {
        const rule = parseRule(text, false);
        const recurrence = { start: Date.UTC(2026, 0), zone: 'UTC', rule, lastStart: undefined };
        const steps = createWorkBudget();
        findNthStart(recurrence, 1, recurrence.start, endOfTime, steps);
        return [steps.left];
      } catch (error) {
        // Some parts cannot be combined.
        expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
        return [];
      }
    });
    expect(left.length).toBeGreaterThan(80);
    expect(Math.min(...left)).toBeGreaterThan(-1_500);
  });

  it('expands COUNT once, when the rule is stored', () => {
    const schedule = scheduleOf('FREQ=DAILY;COUNT=1000', '2026-01-01T09:00', 'Europe/Berlin');
    expect(schedule.lastStart).toBe('2028-09-26T07:00:00.000Z');
    const recurrence = parseRecurrence(schedule) as Recurrence;
    const late = startsIn(recurrence, Date.UTC(2028, 8, 25), Date.UTC(2040));
    expect(iso(late.starts)).toEqual(['2028-09-25T07:00Z', '2028-09-26T07:00Z']);
    expect(late.steps).toBeLessThan(50);
    expect(startsIn(recurrence, ...years(2_029, 2_129)).steps).toBe(0);
  });

  it('stops at the end of the work budget', () => {
    const recurrence = recurrenceOf('FREQ=DAILY', '2026-01-01T09:00');
    const steps = createWorkBudget();
    const all = { ...recurrence, rule: parseRule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', false) };
    expect(findNthStart(all, 1, all.start, Date.UTC(9_999), steps)).toBeUndefined();
    // The last batch can exceed the budget.
    expect(steps.left).toBeLessThanOrEqual(0);
    expect(steps.left).toBeGreaterThan(-128);
  });
});

describe('validation of rules', () => {
  it.each([
    ['', 'must consist of NAME=value parts, such as FREQ=WEEKLY;BYDAY=MO'],
    ['every day', 'must consist of NAME=value parts, such as FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=DAILY;;', 'must consist of NAME=value parts, such as FREQ=WEEKLY;BYDAY=MO'],
    ['FREQ=DAILY\nRRULE:FREQ=WEEKLY', expect.stringMatching(/^must consist of NAME=value parts/)],
    ['BYDAY=MO', expect.stringMatching(/^must contain FREQ=DAILY, WEEKLY, MONTHLY or YEARLY/)],
    [
      'FREQ=SECONDLY;COUNT=1000000000',
      expect.stringMatching(/for several times a day, use FREQ=DAILY;BYHOUR=9,12$/),
    ],
    ['FREQ=MINUTELY', expect.stringMatching(/^must contain FREQ=DAILY/)],
    ['FREQ=HOURLY', expect.stringMatching(/^must contain FREQ=DAILY/)],
    ['FREQ=DAILY;COUNT=1000000000', 'COUNT must be an integer from 1 to 1000; for more, use UNTIL'],
    ['FREQ=DAILY;COUNT=0', expect.stringContaining('COUNT must be an integer')],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'cannot contain both COUNT and UNTIL'],
    ['FREQ=DAILY;UNTIL=20260230', 'UNTIL must be a valid date or time'],
    ['FREQ=DAILY;UNTIL=20250101', 'UNTIL must not be before the first occurrence'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be an integer from 1 to 1000'],
    ['FREQ=DAILY;INTERVAL=1001', 'INTERVAL must be an integer from 1 to 1000'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'repeats FREQ'],
    ['FREQ=WEEKLY;BYDAY=XX', 'BYDAY must be MO to SU'],
    ['FREQ=WEEKLY;BYDAY=1MO', expect.stringContaining('BYDAY can have numbers only with')],
    ['FREQ=MONTHLY;BYDAY=6MO', expect.stringContaining('BYDAY can have numbers only with')],
    ['FREQ=DAILY;BYMONTH=13', 'BYMONTH must be 1 to 12'],
    ['FREQ=DAILY;BYMONTH=-1', 'BYMONTH must be 1 to 12'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'BYMONTHDAY must be ±1 to 31'],
    ['FREQ=WEEKLY;BYMONTHDAY=3', 'BYMONTHDAY requires FREQ=DAILY or MONTHLY or YEARLY'],
    ['FREQ=MONTHLY;BYYEARDAY=3', 'BYYEARDAY requires FREQ=YEARLY'],
    ['FREQ=DAILY;BYSETPOS=1', 'BYSETPOS requires another part, such as BYDAY'],
    ['FREQ=DAILY;WKST=8', 'WKST must be MO to SU'],
    ['RSCALE=CHINESE;FREQ=YEARLY', 'contains unsupported part RSCALE'],
    ['FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5', 'must recur at most 24 times a day'],
    [
      'FREQ=YEARLY;BYDAY=MO,TU,WE;BYHOUR=1,2,3',
      'must recur at most 1000 times per period; use FREQ=DAILY',
    ],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'has no occurrences'],
    ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31', 'has no occurrences'],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=900', 'is too long for COUNT; use UNTIL'],
    [`FREQ=DAILY;BYDAY=${'MO,'.repeat(200)}MO`, 'must be at most 500 characters'],
  ])('rejects %j', (rrule, message) => {
    expect(() => scheduleOf(rrule, '2026-01-01T09:00')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [{ field: 'rrule', message }] }),
    );
  });

  it.each(['tomorrow', '100000101', '+0100000101', '-0010101', '261231'])(
    'rejects UNTIL=%s, whose year does not have four digits',
    (until) => {
      expect(() => scheduleOf(`FREQ=DAILY;UNTIL=${until}`, '2026-01-01T09:00')).toThrow(
        'UNTIL must be a date or time such as 20261231 or 20261231T225959Z',
      );
    },
  );

  it('accepts 50 weeks of 20 times, which are 1000 times per period', () => {
    const weeks = Array.from({ length: 50 }, (_, at) => at + 1);
    const hours = Array.from({ length: 20 }, (_, at) => at);
    const rrule = `FREQ=YEARLY;BYWEEKNO=${weeks};BYHOUR=${hours}`;
    expect(scheduleOf(rrule, '2026-01-01T09:00').rrule).toBe(rrule);
  });

  it('rejects a time of day for an all-day event', () => {
    expect(() => scheduleOf('FREQ=DAILY;BYHOUR=9', '2026-01-01')).toThrow(
      'cannot contain BYHOUR for an all-day event',
    );
  });
});
