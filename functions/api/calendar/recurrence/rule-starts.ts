import { type Rule, weekdays as weekdayNames } from './rule.ts';
import { dayMs, type LocalTime } from './time.ts';

/*
 * When a rule has starts (RFC 5545 §3.3.10), by the clock on the wall as if that were UTC. Each period of the rule, a day, a
 * week, a month or a year, is looked at by itself: its days are found by the part that names the fewest, all other parts
 * leave out some of them, and BYSETPOS chooses among what is left. Periods are numbered, so that one long after the first
 * costs no more than the first.
 */

const weekMs = 7 * dayMs;

/** Times from one on, before another. */
interface Span {
  readonly from: LocalTime;
  readonly to: LocalTime;
}

/** A day of the week: that of this number in the month or the year, from its end below 0; each without one. */
interface Weekday {
  readonly weekday: number;
  readonly number: number | undefined;
}

/** What the parts of a rule name; a list that is empty names nothing. */
interface Plan {
  readonly frequency: Rule['frequency'];
  /** From 0, Sunday. */
  readonly weekStart: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly Weekday[];
  /** After midnight, in ms. */
  readonly times: readonly number[];
  readonly positions: readonly number[];
}

const toDay = (wall: LocalTime): LocalTime => Math.floor(wall / dayMs) * dayMs;

const getWeekday = (wall: LocalTime): number => new Date(wall).getUTCDay();

const inOrder = (times: readonly number[]): number[] => [...new Set(times)].sort((a, b) => a - b);

/** The times of day that a rule names; what it doesn't say of them is as at the first start. */
const getTimes = (parts: Rule['parts'], first: LocalTime): number[] => {
  const at = new Date(first);
  const values = (name: string, other: number) => parts.get(name)?.map(Number) ?? [other];
  const times = values('BYHOUR', at.getUTCHours()).flatMap((hour) =>
    values('BYMINUTE', at.getUTCMinutes()).flatMap((minute) =>
      values('BYSECOND', at.getUTCSeconds()).map(
        (second) => ((hour * 60 + minute) * 60 + second) * 1_000,
      ),
    ),
  );
  return inOrder(times);
};

const toWeekday = (text: string): Weekday => ({
  weekday: weekdayNames.indexOf(text.slice(-2)),
  number: text.length === 2 ? undefined : Number(text.slice(0, -2)),
});

/** What a rule names; the days, where it doesn't say them, are as that of the first start. */
const createPlan = ({ frequency, parts }: Rule, first: LocalTime): Plan => {
  const at = new Date(first);
  const numbers = (name: string) => (parts.get(name) ?? []).map(Number);
  const weeks = numbers('BYWEEKNO');
  const saysDays = ['BYYEARDAY', 'BYMONTHDAY', 'BYDAY'].some((name) => parts.has(name));
  const isOfWeek = frequency === 'WEEKLY' || weeks.length > 0;
  const isOfMonth = !isOfWeek && frequency !== 'DAILY';
  const unsaid = (isSo: boolean, value: number) => (isSo && !saysDays ? [value] : []);
  const months = numbers('BYMONTH');
  return {
    frequency,
    weekStart: weekdayNames.indexOf(parts.get('WKST')?.[0] ?? 'MO'),
    months:
      months.length > 0
        ? months
        : unsaid(isOfMonth && frequency === 'YEARLY', at.getUTCMonth() + 1),
    weeks,
    yearDays: numbers('BYYEARDAY'),
    monthDays: parts.has('BYMONTHDAY') ? numbers('BYMONTHDAY') : unsaid(isOfMonth, at.getUTCDate()),
    weekdays: parts.has('BYDAY')
      ? (parts.get('BYDAY') ?? []).map(toWeekday)
      : unsaid(isOfWeek, at.getUTCDay()).map((weekday) => ({ weekday, number: undefined })),
    times: getTimes(parts, first),
    positions: numbers('BYSETPOS'),
  };
};

const startOfWeek = (wall: LocalTime, weekStart: number): LocalTime =>
  toDay(wall) - ((getWeekday(wall) - weekStart + 7) % 7) * dayMs;

/** The number of the period of a wall time: those of weeks are of years of whole weeks, where a week is in that of its fourth day. */
const periodAt = ({ frequency, weekStart, weeks }: Plan, wall: LocalTime): number => {
  const at = new Date(wall);
  switch (frequency) {
    case 'DAILY':
      return Math.floor(wall / dayMs);
    case 'WEEKLY':
      return Math.floor(startOfWeek(wall, weekStart) / weekMs);
    case 'MONTHLY':
      return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
    case 'YEARLY':
      return weeks.length === 0
        ? at.getUTCFullYear()
        : new Date(startOfWeek(wall, weekStart) + 3 * dayMs).getUTCFullYear();
  }
};

/** When the period of a number begins. */
const startOfPeriod = ({ frequency, weekStart, weeks }: Plan, number: number): LocalTime => {
  switch (frequency) {
    case 'DAILY':
      return number * dayMs;
    case 'WEEKLY':
      return startOfWeek((number + 1) * weekMs - dayMs, weekStart);
    case 'MONTHLY':
      return Date.UTC(1970, number);
    case 'YEARLY':
      return weeks.length === 0
        ? Date.UTC(number, 0)
        : startOfWeek(Date.UTC(number, 0, 4), weekStart);
  }
};

/** What has these numbers in a span, counted from its beginning or, below 0, from its end. */
const numbered = ({ from, to }: Span, numbers: readonly number[], unitMs: number): LocalTime[] =>
  numbers
    .map((number) => (number > 0 ? from + (number - 1) * unitMs : to + number * unitMs))
    .filter((at) => at >= from && at < to);

/** The days of a span that are such weekdays. */
const weekdaysIn = ({ from, to }: Span, { weekday, number }: Weekday): LocalTime[] => {
  const first = from + ((weekday - getWeekday(from) + 7) % 7) * dayMs;
  const count = Math.ceil((to - first) / weekMs);
  const all = { from: first, to: first + count * weekMs };
  if (number !== undefined) return numbered(all, [number], weekMs);
  return Array.from({ length: count }, (_, at) => first + at * weekMs);
};

const everyDay = ({ from, to }: Span): LocalTime[] =>
  Array.from({ length: (to - from) / dayMs }, (_, at) => from + at * dayMs);

const getMonth = (year: number, month: number): Span => ({
  from: Date.UTC(year, month - 1),
  to: Date.UTC(year, month),
});

const allMonths = Array.from({ length: 12 }, (_, at) => at + 1);

/** The months of a period that the rule names, of a year all where it names days of them; or else the period as it is. */
const monthsIn = ({ frequency, months, monthDays }: Plan, period: Span): Span[] => {
  const at = new Date(period.from);
  if (frequency === 'MONTHLY') {
    return months.length === 0 || months.includes(at.getUTCMonth() + 1) ? [period] : [];
  }
  if (frequency !== 'YEARLY' || (months.length === 0 && monthDays.length === 0)) return [period];
  const named = months.length > 0 ? months : allMonths;
  return named.map((month) => getMonth(at.getUTCFullYear(), month));
};

/** The days of a period to look at, in any order: by one of the parts, which all other parts can only take some of. */
const daysToLookAt = (plan: Plan, period: Span): LocalTime[] => {
  const { frequency, weeks, yearDays, monthDays, weekdays } = plan;
  if (frequency === 'DAILY') return [period.from];
  const isOn = (span: Span) => weekdays.flatMap((weekday) => weekdaysIn(span, weekday));
  if (weeks.length > 0) {
    const spans = numbered(period, weeks, weekMs).map((from) => ({ from, to: from + weekMs }));
    return spans.flatMap(weekdays.length > 0 ? isOn : everyDay);
  }
  if (yearDays.length > 0) return numbered(period, yearDays, dayMs);
  return monthsIn(plan, period).flatMap((span) =>
    monthDays.length > 0 ? numbered(span, monthDays, dayMs) : isOn(span),
  );
};

/** Is a day one of those that a list numbers in a span? */
const isNumbered = (numbers: readonly number[], span: Span, day: LocalTime): boolean =>
  numbers.length === 0 || numbered(span, numbers, dayMs).includes(day);

/** Does every part of the rule name this day? */
const isNamed = (plan: Plan, day: LocalTime): boolean => {
  const { frequency, months, yearDays, monthDays, weekdays } = plan;
  const at = new Date(day);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  if (months.length > 0 && !months.includes(month)) return false;
  const itsYear = { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  const itsMonth = getMonth(year, month);
  if (!isNumbered(yearDays, itsYear, day) || !isNumbered(monthDays, itsMonth, day)) return false;
  const frame = frequency === 'MONTHLY' || months.length > 0 ? itsMonth : itsYear;
  return (
    weekdays.length === 0 ||
    weekdays.some(
      (one) =>
        one.weekday === at.getUTCDay() &&
        (one.number === undefined || weekdaysIn(frame, one).includes(day)),
    )
  );
};

/** Those of all starts of a period that BYSETPOS chooses. */
const chosen = (positions: readonly number[], starts: LocalTime[]): LocalTime[] =>
  positions.length === 0
    ? starts
    : starts.filter(
        (_, at) => positions.includes(at + 1) || positions.includes(at - starts.length),
      );

/** A period in which a rule may have starts. */
export interface Period {
  /** In their order; those of the first period also before the first start of all. */
  readonly starts: readonly LocalTime[];
  /** How many days were looked at for them. */
  readonly daysSeen: number;
  /** When the next one begins. */
  readonly next: LocalTime;
}

/**
 * Answers one period after the other, at each call, of a rule whose first start is known, from that on in which a wall time
 * is; there is always another one.
 */
export const iteratePeriods = (rule: Rule, first: LocalTime, from: LocalTime): (() => Period) => {
  const plan = createPlan(rule, first);
  const { interval } = rule;
  const firstPeriod = periodAt(plan, first);
  const passed = Math.max(0, periodAt(plan, from) - firstPeriod);
  let number = firstPeriod + Math.floor(passed / interval) * interval;
  return () => {
    const period = { from: startOfPeriod(plan, number), to: startOfPeriod(plan, number + 1) };
    const days = daysToLookAt(plan, period);
    const named = inOrder(days.filter((day) => isNamed(plan, day)));
    const starts = named.flatMap((day) => plan.times.map((time) => day + time));
    number += interval;
    const next = startOfPeriod(plan, number);
    return { starts: chosen(plan.positions, starts), daysSeen: days.length, next };
  };
};
