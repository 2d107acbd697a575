import { describe, expect, it } from 'vitest';
import { parseRecurrence } from '../../../functions/api/calendar/record/schedule.ts';
import {
  createWorkBudget,
  endOfTime,
  findFirstFrom,
  type Recurrence,
  startNumber,
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

/** What it costs at most to look at 500 occurrences or a century of nothing. */
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

describe('the work', () => {
  it.each(rules)('for a month of %s is the same in 8000 years', (rrule) => {
    const recurrence = recurrenceOf(rrule, '2026-01-01T09:00', 'Europe/Berlin');
    const near = startsIn(recurrence, Date.UTC(2026, 2), Date.UTC(2026, 3));
    const far = startsIn(recurrence, Date.UTC(9_998, 2), Date.UTC(9_998, 3));
    // The period that the month is in.
    expect(Math.abs(far.steps - near.steps)).toBeLessThanOrEqual(366);
    expect(Math.max(near.steps, far.steps)).toBeLessThan(4_000);
  });

  it.each(rules)(
    'for a century of %s far from its start is no more than to look at its days',
    (rrule) => {
      const recurrence = recurrenceOf(rrule, '1900-01-01T09:00', 'Europe/Berlin');
      const { starts, steps } = startsIn(recurrence, ...years(2_900, 3_000));
      // A start that was found takes 3 more; some are found beyond those that were asked for.
      expect(steps).toBeLessThan(101 * 366 + 3 * (starts.length + 128));
    },
  );

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
  ])('for a period of %s is to look at %s: at %i days', (rule, date, days) => {
    const from = Date.parse(date);
    const nextPeriod = iteratePeriods(
      parseRule(`FREQ=${rule}`, false),
      Date.UTC(1900, 0, 1, 9),
      from,
    );
    expect(nextPeriod().daysSeen).toBe(days);
  });

  it('for what never happens is over with the steps, whatever parts come together', () => {
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
        findFirstFrom(recurrence, recurrence.start, endOfTime, steps);
        return [steps.left];
      } catch (error) {
        // Some parts may not stand together.
        expect(error).toMatchObject({ code: 'VALIDATION_ERROR' });
        return [];
      }
    });
    expect(left.length).toBeGreaterThan(80);
    expect(Math.min(...left)).toBeGreaterThan(-1_500);
  });

  it('for COUNT is done once, when the rule is stored', () => {
    const schedule = scheduleOf('FREQ=DAILY;COUNT=1000', '2026-01-01T09:00', 'Europe/Berlin');
    expect(schedule.lastStart).toBe('2028-09-26T07:00:00.000Z');
    const recurrence = parseRecurrence(schedule) as Recurrence;
    const late = startsIn(recurrence, Date.UTC(2028, 8, 25), Date.UTC(2040));
    expect(iso(late.starts)).toEqual(['2028-09-25T07:00Z', '2028-09-26T07:00Z']);
    expect(late.steps).toBeLessThan(50);
    expect(startsIn(recurrence, ...years(2_029, 2_129)).steps).toBe(0);
  });

  it('for one look stops with the steps', () => {
    const recurrence = recurrenceOf('FREQ=DAILY', '2026-01-01T09:00');
    const steps = createWorkBudget();
    const all = { ...recurrence, rule: parseRule('FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', false) };
    expect(startNumber(all, 1, Date.UTC(9_999), steps)).toBeUndefined();
    // The last stretch may begin with the last step.
    expect(steps.left).toBeLessThanOrEqual(0);
    expect(steps.left).toBeGreaterThan(-128);
  });
});

describe('what is refused', () => {
  it.each([
    ['', 'must be parts such as FREQ=WEEKLY;BYDAY=MO, each a name, = and a value'],
    ['every day', 'must be parts such as FREQ=WEEKLY;BYDAY=MO, each a name, = and a value'],
    ['FREQ=DAILY;', 'must be parts such as FREQ=WEEKLY;BYDAY=MO, each a name, = and a value'],
    ['FREQ=DAILY\nRRULE:FREQ=WEEKLY', expect.stringMatching(/^must be parts such as/)],
    ['BYDAY=MO', expect.stringMatching(/^must have FREQ=DAILY, WEEKLY, MONTHLY or YEARLY/)],
    [
      'FREQ=SECONDLY;COUNT=1000000000',
      expect.stringMatching(/for several times a day, FREQ=DAILY;BYHOUR=9,12$/),
    ],
    ['FREQ=MINUTELY', expect.stringMatching(/^must have FREQ=DAILY/)],
    ['FREQ=HOURLY', expect.stringMatching(/^must have FREQ=DAILY/)],
    [
      'FREQ=DAILY;COUNT=1000000000',
      'has COUNT=1000000000, which must be a whole number from 1 to 1000; for more, name the end by UNTIL',
    ],
    ['FREQ=DAILY;COUNT=0', expect.stringContaining('has COUNT=0')],
    ['FREQ=DAILY;COUNT=2;UNTIL=20270101', 'can not have both COUNT and UNTIL'],
    [
      'FREQ=DAILY;UNTIL=tomorrow',
      'has UNTIL=TOMORROW, which must be as 20261231 or 20261231T225959Z',
    ],
    ['FREQ=DAILY;UNTIL=20260230', 'has UNTIL=20260230, which is no time of the calendar'],
    ['FREQ=DAILY;UNTIL=20250101', 'ends with UNTIL before its first occurrence'],
    ['FREQ=DAILY;INTERVAL=0', 'has INTERVAL=0, which must be a whole number from 1 to 1000'],
    ['FREQ=DAILY;INTERVAL=1001', 'has INTERVAL=1001, which must be a whole number from 1 to 1000'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'has FREQ twice'],
    ['FREQ=WEEKLY;BYDAY=XX', 'has XX in BYDAY, which takes MO to SU'],
    ['FREQ=WEEKLY;BYDAY=1MO', expect.stringContaining('has 1MO in BYDAY: a number is for')],
    ['FREQ=MONTHLY;BYDAY=6MO', expect.stringContaining('has 6MO in BYDAY')],
    ['FREQ=DAILY;BYMONTH=13', 'has 13 in BYMONTH, which takes 1 to 12'],
    ['FREQ=DAILY;BYMONTH=-1', 'has -1 in BYMONTH, which takes 1 to 12'],
    ['FREQ=MONTHLY;BYMONTHDAY=0', 'has 0 in BYMONTHDAY, which takes ±1 to 31'],
    ['FREQ=WEEKLY;BYMONTHDAY=3', 'can have BYMONTHDAY only with FREQ=DAILY or MONTHLY or YEARLY'],
    ['FREQ=MONTHLY;BYYEARDAY=3', 'can have BYYEARDAY only with FREQ=YEARLY'],
    [
      'FREQ=DAILY;BYSETPOS=1',
      'has BYSETPOS, which needs another part to choose from, such as BYDAY',
    ],
    ['FREQ=DAILY;WKST=8', 'has WKST=8, which must be one of MO to SU'],
    ['RSCALE=CHINESE;FREQ=YEARLY', 'has RSCALE, which is no part of a rule that is supported'],
    ['FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5', 'recurs 25 times a day, more than 24'],
    [
      'FREQ=YEARLY;BYDAY=MO,TU,WE;BYHOUR=1,2,3',
      'recurs more than 1000 times in a period: use FREQ=DAILY',
    ],
    ['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'has no occurrence within reach of start'],
    ['FREQ=YEARLY;BYMONTH=4;BYMONTHDAY=31', 'has no occurrence within reach of start'],
    [
      'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;COUNT=900',
      'reaches too far with COUNT: name its end by UNTIL',
    ],
    [`FREQ=DAILY;BYDAY=${'MO,'.repeat(200)}MO`, 'must have at most 500 characters'],
  ])('%j', (rrule, message) => {
    expect(() => scheduleOf(rrule, '2026-01-01T09:00')).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [{ field: 'rrule', message }] }),
    );
  });

  it('a time of day of an all-day event', () => {
    expect(() => scheduleOf('FREQ=DAILY;BYHOUR=9', '2026-01-01')).toThrow(
      'can not have BYHOUR where the event is all day',
    );
  });
});
