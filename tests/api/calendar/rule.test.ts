import { describe, expect, it } from 'vitest';
import { parseRecurrence } from '../../../functions/api/calendar/record/schedule.ts';
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
