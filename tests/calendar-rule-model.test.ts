import { describe, expect, it } from 'vitest';
import type { Recurrence } from '../functions/calendar/recurrence.ts';
import fc from './support/properties.ts';
import { iso, recurrenceOf, startsIn } from './support/recurrences.ts';

const dayMs = 86_400_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

interface Rule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly months: readonly number[];
  readonly weekdays: readonly string[];
  readonly monthDays: readonly number[];
  readonly hours: readonly number[];
  readonly weekStart: 'MO' | 'SU';
}

const list = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof(fc.constant([]), fc.uniqueArray(one, { minLength: 1, maxLength: 3 }));

const aRule: fc.Arbitrary<Rule> = fc
  .record({
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 5 }),
    months: list(fc.integer({ min: 1, max: 12 })),
    weekdays: list(fc.constantFrom(...weekdays)),
    monthDays: list(fc.constantFrom(1, 13, 28, 29, 30, 31, -1, -31)),
    hours: list(fc.integer({ min: 0, max: 23 })),
    weekStart: fc.constantFrom('MO', 'SU'),
  } as const)
  .map((rule) => ({
    ...(rule as Rule),
    // RFC 5545 has none with a week.
    ...(rule.frequency === 'WEEKLY' && { monthDays: [] }),
  }));

const textOf = (rule: Rule): string =>
  [
    `FREQ=${rule.frequency};INTERVAL=${rule.interval};WKST=${rule.weekStart}`,
    ...(rule.months.length > 0 ? [`BYMONTH=${rule.months}`] : []),
    ...(rule.weekdays.length > 0 ? [`BYDAY=${rule.weekdays}`] : []),
    ...(rule.monthDays.length > 0 ? [`BYMONTHDAY=${rule.monthDays}`] : []),
    ...(rule.hours.length > 0 ? [`BYHOUR=${rule.hours}`] : []),
  ].join(';');

/** Is a day one of the rule's, which began on another? As RFC 5545 §3.3.10 defines it, day by day. */
const isOn = (rule: Rule, first: Date, day: Date): boolean => {
  const { frequency, interval, months, monthDays } = rule;
  const monthOf = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  const dayOf = (date: Date) => Math.floor(date.getTime() / dayMs);
  const weekOf = (date: Date) => {
    // 1970 began on a Thursday.
    const sinceStart = rule.weekStart === 'MO' ? 3 : 4;
    return Math.floor((dayOf(date) + sinceStart) / 7);
  };
  const passed = {
    DAILY: dayOf(day) - dayOf(first),
    WEEKLY: weekOf(day) - weekOf(first),
    MONTHLY: monthOf(day) - monthOf(first),
    YEARLY: day.getUTCFullYear() - first.getUTCFullYear(),
  }[frequency];
  if (passed % interval !== 0) return false;
  const chosen = (values: readonly unknown[], value: unknown) =>
    values.length === 0 || values.includes(value);
  if (!chosen(months, day.getUTCMonth() + 1)) return false;
  if (!chosen(rule.weekdays, weekdays[day.getUTCDay()])) return false;
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate();
  const fromEnd = day.getUTCDate() - last - 1;
  if (!chosen(monthDays, day.getUTCDate()) && !monthDays.includes(fromEnd)) return false;
  // What no part says is as at the start.
  if (frequency === 'DAILY' || rule.weekdays.length > 0 || monthDays.length > 0) return true;
  if (frequency === 'WEEKLY') return day.getUTCDay() === first.getUTCDay();
  if (day.getUTCDate() !== first.getUTCDate()) return false;
  return frequency === 'MONTHLY' || months.length > 0 || day.getUTCMonth() === first.getUTCMonth();
};

/** The starts of a rule from a tick on, by looking at every day. */
const plainly = (rule: Rule, start: number, from: number, count: number): number[] => {
  const found: number[] = [];
  const first = new Date(start);
  const midnight = Math.floor(start / dayMs) * dayMs;
  const hours =
    rule.hours.length > 0 ? [...rule.hours].sort((a, b) => a - b) : [first.getUTCHours()];
  for (let day = midnight; day < Date.UTC(2060) && found.length < count; day += dayMs) {
    if (!isOn(rule, first, new Date(day))) continue;
    for (const hour of hours) {
      const at = day + (hour * 60 + first.getUTCMinutes()) * 60_000;
      if (at >= Math.max(start, from)) found.push(at);
    }
  }
  return found.slice(0, count);
};

/** How it recurs from its start on; `undefined` where it never happens, such as on a 31st of June. */
const tryRecurrence = (rule: Rule, start: string, zone?: string): Recurrence | undefined => {
  try {
    return recurrenceOf(textOf(rule), start, zone);
  } catch {
    return undefined;
  }
};

describe('any rule', () => {
  it('has the occurrences of its definition, wherever a window begins', () => {
    fc.assert(
      fc.property(
        aRule,
        fc.integer({ min: 0, max: 3_650 }),
        fc.integer({ min: 0, max: 4_000 }),
        (rule, day, later) => {
          const start = Date.UTC(2020, 0, 1, 9, 30) + day * dayMs;
          const recurrence = tryRecurrence(rule, new Date(start).toISOString());
          const [first] = plainly(rule, start, start, 1);
          fc.pre(recurrence !== undefined && first !== undefined);
          expect(recurrence?.start).toBe(first);
          const from = start + later * dayMs;
          const { starts } = startsIn(recurrence as Recurrence, from, Date.UTC(2060), 12);
          expect(iso(starts)).toEqual(iso(plainly(rule, start, from, 12)));
        },
      ),
      { numRuns: 150 },
    );
  });

  it('is found piece by piece as it is at once, in any zone', () => {
    const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata'];
    fc.assert(
      fc.property(
        aRule,
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 1_439 }),
        (rule, zone, minute) => {
          const time = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString().slice(0, 16);
          const recurrence = tryRecurrence(rule, time, zone);
          fc.pre(recurrence !== undefined);
          const [from, to] = [Date.UTC(2027, 0), Date.UTC(2028, 6)];
          const starts = (at: number, end: number) =>
            startsIn(recurrence as Recurrence, at, end, 20_000).starts;
          const whole = starts(from, to);
          const pieces: number[] = [];
          for (let at = from; at < to; at += 17 * dayMs) {
            pieces.push(...starts(at, Math.min(to, at + 17 * dayMs)));
          }
          expect(iso(pieces)).toEqual(iso(whole));
          expect(whole).toEqual([...whole].sort((a, b) => a - b));
        },
      ),
      { numRuns: 25 },
    );
  });
});
