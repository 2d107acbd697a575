import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRule as parseApiRule } from '../../../../functions/api/calendar/recurrence/rule.ts';
import { placeInColumns } from '../../../../functions/web/site/calendar/layout/columns.ts';
import { placeInLanes } from '../../../../functions/web/site/calendar/layout/lanes.ts';
import { toSegment, toSpan } from '../../../../functions/web/site/calendar/layout/spans.ts';
import {
  followStart,
  moveRule,
  nthOf,
  parseRule,
  writeRule,
} from '../../../../functions/web/site/calendar/rule/rule.ts';
import { describeRule } from '../../../../functions/web/site/calendar/rule/sentence.ts';
import {
  addDays,
  addMonths,
  countDays,
  getFirstWeekday,
  listDays,
  listMonth,
  startOfWeek,
} from '../../../../functions/web/site/calendar/time/days.ts';
import { toInstant, toLocal } from '../../../../functions/web/site/calendar/time/zone.ts';
import { modes, parseView, toUrl } from '../../../../functions/web/site/calendar/view.ts';

const berlin = 'Europe/Berlin';
const at = (start: string, end: string) => ({ start, end, allDay: false });

describe('the days of an event', () => {
  it('are those of its dates, or of its hours in the time zone', () => {
    const allDay = { start: '2026-11-19', end: '2026-11-21', allDay: true };
    expect(toSpan(allDay, berlin)).toEqual({
      first: '2026-11-19',
      last: '2026-11-20',
      isBar: true,
    });
    const late = at('2026-11-19T22:30:00Z', '2026-11-19T23:30:00Z');
    expect(toSpan(late, berlin)).toEqual({ first: '2026-11-19', last: '2026-11-20', isBar: false });
    expect(toSpan(late, 'America/New_York').last).toBe('2026-11-19');
    const toMidnight = at('2026-11-19T20:00:00Z', '2026-11-19T23:00:00Z');
    expect(toSpan(toMidnight, berlin).last).toBe('2026-11-19');
    expect(toSpan(at('2026-11-19T08:00:00Z', '2026-11-20T08:00:00Z'), berlin).isBar).toBe(true);
  });

  it('have its hours, up to midnight', () => {
    const late = at('2026-11-19T22:30:00Z', '2026-11-20T00:30:00Z');
    expect(toSegment(late, '2026-11-19', berlin)).toMatchObject({ from: 1_410, to: 1_440 });
    expect(toSegment(late, '2026-11-20', berlin)).toMatchObject({ from: 0, to: 90 });
    expect(toSegment(late, '2026-11-21', berlin)).toBeUndefined();
  });

  it('show 30 minutes at least, also where clocks go back', () => {
    const short = at('2026-11-19T09:00:00Z', '2026-11-19T09:00:00Z');
    expect(toSegment(short, '2026-11-19', berlin)).toMatchObject({ from: 600, to: 630 });
    const last = at('2026-11-19T22:59:00Z', '2026-11-19T22:59:30Z');
    expect(toSegment(last, '2026-11-19', berlin)).toMatchObject({ from: 1_410, to: 1_440 });
    // From 02:45 in summer to 02:15 in winter.
    const back = at('2026-10-25T00:45:00Z', '2026-10-25T01:15:00Z');
    expect(toSegment(back, '2026-10-25', berlin)).toMatchObject({ from: 165, to: 195 });
  });
});

const days = listDays('2026-11-16', 7);
const spans = fc.array(
  fc
    .tuple(fc.integer({ min: -2, max: 8 }), fc.integer({ min: 0, max: 4 }))
    .map(([from, length]) => ({
      first: listDays('2026-11-14', 20)[from + 2] ?? '',
      last: listDays('2026-11-14', 20)[from + 2 + length] ?? '',
      isBar: true,
      event: {},
    })),
  { maxLength: 12 },
);

describe('the lanes of a row', () => {
  it('have each event once a day, in the same lane on all of its days', () => {
    fc.assert(
      fc.property(spans, (placed) => {
        const lanes = placeInLanes(placed, days);
        for (const one of placed) {
          const own = days.filter((day) => day >= one.first && day <= one.last);
          const found = own.map((day) => lanes.get(day)?.indexOf(one));
          expect(new Set(found).size).toBeLessThanOrEqual(1);
          expect(found).not.toContain(-1);
        }
        const count = [...lanes.values()].flat().filter((one) => one !== undefined).length;
        const expected = placed.flatMap((one) =>
          days.filter((day) => day >= one.first && day <= one.last),
        );
        expect(count).toBe(expected.length);
      }),
    );
  });

  it('leave no lane empty that an event could have', () => {
    const place = (first: string, last: string) => ({ first, last, isBar: true, event: {} });
    const [long, short, later] = [
      place('2026-11-16', '2026-11-18'),
      place('2026-11-16', '2026-11-16'),
      place('2026-11-17', '2026-11-17'),
    ] as const;
    const lanes = placeInLanes([later, short, long], days);
    expect(lanes.get('2026-11-16')).toEqual([long, short]);
    expect(lanes.get('2026-11-17')).toEqual([long, later]);
  });
});

describe('the columns of a day', () => {
  const segments = fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 1_400 }), fc.integer({ min: 15, max: 300 }))
      .map(([from, length]) => ({ event: {}, from, to: Math.min(from + length, 1_440) })),
    { maxLength: 15 },
  );

  it('have no two events at the same time in the same column', () => {
    fc.assert(
      fc.property(segments, (given) => {
        const columns = placeInColumns(given);
        expect(columns).toHaveLength(given.length);
        for (const one of columns) {
          expect(one.column).toBeLessThan(one.columns);
          const clash = columns.filter(
            (other) =>
              other !== one &&
              other.column === one.column &&
              other.from < one.to &&
              one.from < other.to,
          );
          expect(clash).toEqual([]);
        }
      }),
    );
  });

  it('give an event alone the whole width', () => {
    const [one, two, three] = placeInColumns([
      { event: 'a', from: 60, to: 120 },
      { event: 'b', from: 90, to: 150 },
      { event: 'c', from: 150, to: 200 },
    ]);
    expect([one, two].map((some) => [some?.column, some?.columns])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect([three?.column, three?.columns]).toEqual([0, 1]);
  });
});

const zone = 'Europe/Berlin';

/** Rules that the editor can say, what they mean for an event that begins on Tuesday, 8 December 2026. */
const sentences = {
  'FREQ=DAILY': 'Every day',
  'FREQ=DAILY;INTERVAL=3;COUNT=10': 'Every 3 days, 10 times',
  'FREQ=DAILY;COUNT=1': 'Every day, 1 time',
  'FREQ=WEEKLY': 'Every week on Tuesday',
  'FREQ=WEEKLY;BYDAY=MO,TU,FR': 'Every week on Monday, Tuesday and Friday',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TH;UNTIL=20270303':
    'Every 2 weeks on Monday and Thursday until 3 March 2027',
  'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;WKST=SU': 'Every 2 weeks on Monday and Sunday',
  'FREQ=MONTHLY': 'Every month on day 8',
  'FREQ=MONTHLY;BYMONTHDAY=15': 'Every month on day 15',
  'FREQ=MONTHLY;BYMONTHDAY=-1': 'Every month on the last day',
  'FREQ=MONTHLY;BYDAY=2TU': 'Every month on the second Tuesday',
  'FREQ=MONTHLY;INTERVAL=3;BYDAY=-1FR;COUNT=4': 'Every 3 months on the last Friday, 4 times',
  'FREQ=YEARLY': 'Every year on 8 December',
  'FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=3': 'Every year on 3 March',
  'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH': 'Every year on the fourth Thursday of November',
} as const;

/** Rules that only their own text says. */
const others = [
  'FREQ=DAILY;BYHOUR=9,12',
  'FREQ=DAILY;BYDAY=MO,TU',
  'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1',
  'FREQ=MONTHLY;BYMONTHDAY=1,15',
  'FREQ=MONTHLY;BYMONTHDAY=-2',
  'FREQ=MONTHLY;BYDAY=5TU',
  'FREQ=MONTHLY;BYDAY=TU',
  'FREQ=WEEKLY;BYMONTH=3',
  'FREQ=YEARLY;BYMONTHDAY=3',
  'FREQ=YEARLY;BYMONTH=3',
  'FREQ=YEARLY;BYWEEKNO=20',
  'FREQ=HOURLY',
  'FREQ=DAILY;COUNT=0',
  'FREQ=DAILY;UNTIL=tomorrow',
  'nonsense',
  '',
];

describe('the sentence of a rule', () => {
  it.each(Object.entries(sentences))('%s is “%s”', (rule, sentence) => {
    expect(describeRule(rule, { start: '2026-12-08', zone, language: 'en-GB' })).toBe(sentence);
  });

  it('names dates, days and numbers in the chosen language', () => {
    const rule = 'FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20270303';
    const sentence = describeRule(rule, { start: '2026-12-08', zone, language: 'de' });
    expect(sentence).toBe('Every week on Montag und Donnerstag until 3. März 2027');
  });

  it('has the last day where the event is', () => {
    const rule = 'FREQ=DAILY;UNTIL=20270303T235959Z';
    const at = (where: string) =>
      describeRule(rule, { start: '2026-12-08', zone: where, language: 'en-GB' });
    expect(at('UTC')).toBe('Every day until 3 March 2027');
    expect(at('Europe/Berlin')).toBe('Every day until 4 March 2027');
    expect(at('America/New_York')).toBe('Every day until 3 March 2027');
  });

  it.each(others)('%s has none', (rule) => {
    expect(describeRule(rule, { start: '2026-12-08', zone, language: 'en-GB' })).toBeUndefined();
  });
});

describe('a rule in the editor', () => {
  it.each(Object.keys(sentences))('%s is written as it was read, and the API takes it', (rule) => {
    const recurrence = parseRule(rule, zone);
    expect(recurrence && writeRule(recurrence)).toBe(rule);
    expect(() => parseApiRule(rule, false)).not.toThrow();
  });

  it('is written with weekdays in their order, and an end as a date', () => {
    const written = (rule: string) => {
      const recurrence = parseRule(rule, zone);
      return recurrence && writeRule(recurrence);
    };
    expect(written('FREQ=WEEKLY;BYDAY=FR,MO')).toBe('FREQ=WEEKLY;BYDAY=MO,FR');
    expect(written('FREQ=DAILY;UNTIL=20270303T225959Z')).toBe('FREQ=DAILY;UNTIL=20270303');
  });

  it.each([
    ['2026-12-01', 1, 'TU'],
    ['2026-12-08', 2, 'TU'],
    ['2026-12-25', 4, 'FR'],
    ['2026-12-29', -1, 'TU'],
    ['2026-12-31', -1, 'TH'],
  ])('offers for %s weekday %i %s of the month', (date, ordinal, weekday) => {
    expect(nthOf(date)).toEqual({ ordinal, weekday });
  });
});

describe('a rule of an event that moves', () => {
  it.each([
    ['FREQ=WEEKLY;BYDAY=MO', '2026-12-07', '2026-12-08', 'FREQ=WEEKLY;BYDAY=TU'],
    ['FREQ=WEEKLY;BYDAY=MO,SU', '2026-12-07', '2026-12-06', 'FREQ=WEEKLY;BYDAY=SA,SU'],
    ['FREQ=WEEKLY', '2026-12-07', '2026-12-09', 'FREQ=WEEKLY'],
    ['FREQ=MONTHLY;BYMONTHDAY=7', '2026-12-07', '2026-12-09', 'FREQ=MONTHLY;BYMONTHDAY=9'],
    ['FREQ=MONTHLY;BYDAY=1MO', '2026-12-07', '2026-12-15', 'FREQ=MONTHLY;BYDAY=3TU'],
    [
      'FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=31',
      '2026-12-31',
      '2027-01-01',
      'FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1',
    ],
    ['FREQ=DAILY;UNTIL=20261231T225959Z', '2026-12-07', '2026-12-08', 'FREQ=DAILY;UNTIL=20270101'],
  ])('%s from %s to %s is %s', (rule, from, to, moved) => {
    expect(moveRule(rule, { from, to, zone })).toBe(moved);
  });

  it('stays where a move can’t be followed', () => {
    const move = { from: '2026-12-07', to: '2026-12-08', zone };
    expect(moveRule('FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1', move)).toBeUndefined();
  });

  it('follows a start that is written anew, but its end stays', () => {
    const move = { from: '2026-12-07', to: '2026-12-08', zone };
    expect(followStart('FREQ=WEEKLY;BYDAY=MO;UNTIL=20270101', move)).toBe(
      'FREQ=WEEKLY;BYDAY=TU;UNTIL=20270101',
    );
    // Monday is none of its days: they were chosen apart from the start.
    expect(followStart('FREQ=WEEKLY;BYDAY=FR', move)).toBe('FREQ=WEEKLY;BYDAY=FR');
    expect(followStart('FREQ=MONTHLY;BYMONTHDAY=1,15', move)).toBe('FREQ=MONTHLY;BYMONTHDAY=1,15');
  });
});

const iso = (day: string, minute: number, zone: string) =>
  new Date(toInstant({ day, minute }, zone)).toISOString();

describe('times of a zone', () => {
  it('are what clocks show', () => {
    const at = Date.parse('2026-11-23T23:30:00Z');
    expect(toLocal(at, 'Europe/Berlin')).toEqual({ day: '2026-11-24', minute: 30 });
    expect(toLocal(at, 'America/New_York')).toEqual({ day: '2026-11-23', minute: 1_110 });
    expect(toLocal(at, 'Asia/Kolkata')).toEqual({ day: '2026-11-24', minute: 300 });
  });

  it('go both ways for each half hour of the days of changes', () => {
    const days = ['2026-03-29', '2026-10-25', '2026-03-08', '2026-11-01', '2026-06-01'];
    for (const zone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC']) {
      for (const day of days) {
        const start = toInstant({ day, minute: 0 }, zone);
        const end = toInstant({ day: addDays(day, 1), minute: 0 }, zone);
        for (let at = start; at < end; at += 1_800_000) {
          const local = toLocal(at, zone);
          expect(local.day).toBe(day);
          const back = toInstant(local, zone);
          // A time that clocks show twice is the first of both.
          expect(back === at || (back < at && toLocal(back, zone).minute === local.minute)).toBe(
            true,
          );
        }
      }
    }
  });

  it('are the first of two, and later by what clocks skip', () => {
    expect(iso('2026-10-25', 150, 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(iso('2026-11-01', 90, 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
    // 02:30 is skipped: 03:30 in summer.
    expect(iso('2026-03-29', 150, 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(iso('2026-03-08', 150, 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  });
});

describe('days', () => {
  it('are counted without time zones', () => {
    expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
    expect(countDays('2026-03-01', '2026-04-01')).toBe(31);
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
  });

  it('make weeks from the first weekday of a language', () => {
    expect(['de', 'en-GB', 'en-US', 'ar-EG'].map(getFirstWeekday)).toEqual([1, 1, 7, 6]);
    expect([1, 7, 6].map((first) => startOfWeek('2026-11-25', first))).toEqual([
      '2026-11-23',
      '2026-11-22',
      '2026-11-21',
    ]);
  });

  it('of a month are its whole weeks', () => {
    const november = listMonth('2026-11-15', 1);
    expect([november[0], november.at(-1), november.length]).toEqual([
      '2026-10-26',
      '2026-12-06',
      42,
    ]);
    expect(listMonth('2027-02-10', 1)).toHaveLength(28);
  });
});

describe('the address of the calendar', () => {
  it('says what is shown and open, and ignores unknown values', () => {
    const views = [
      { open: undefined, start: undefined, end: undefined },
      { open: 7, start: '2026-11-23', end: undefined },
      { open: 'new', start: '2026-11-23T09:00:00.000Z', end: '2026-11-23T10:00:00.000Z' },
      { open: 'feed', start: undefined, end: undefined },
    ] as const;
    for (const mode of modes) {
      for (const open of views) {
        const view = { mode, date: '2026-11-23', ...open };
        expect(parseView(new URL(toUrl(view), 'http://localhost').searchParams)).toEqual(view);
      }
    }
    expect(
      parseView(new URLSearchParams('view=year&date=2026-13-45&open=x&start=1&end=2')),
    ).toEqual({ mode: 'month', date: undefined, ...views[0] });
  });
});
