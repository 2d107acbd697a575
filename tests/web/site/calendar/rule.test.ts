import { describe, expect, it } from 'vitest';
import { parseRule as parseApiRule } from '../../../../functions/api/calendar/recurrence/rule.ts';
import {
  followStart,
  moveRule,
  nthOf,
  parseRule,
  writeRule,
} from '../../../../functions/web/site/calendar/rule/rule.ts';
import { describeRule } from '../../../../functions/web/site/calendar/rule/sentence.ts';

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
