import { type Rule, weekdays as weekdayNames } from './rule.ts';
import { dayMs, type LocalTime } from './time.ts';

/*
 * Finds the starts of a rule (RFC 5545 §3.3.10) in local time, as if that were UTC. Each period of the rule (day, week, month
 * or year) is expanded by itself: the most selective part lists its days, all other parts filter them, and BYSETPOS picks
 * from the rest. Periods are numbered, so that a late period costs no more than the first.
 */

const weekMs = 7 * dayMs;

/** A range of local times with an exclusive end. */
interface Span {
  readonly from: LocalTime;
  readonly to: LocalTime;
}

/** A weekday: the nth in the month or year, counted from the end if negative; every one without a number. */
interface Weekday {
  readonly weekday: number;
  readonly number: number | undefined;
}

/** The parts of a rule. An empty list does not restrict. */
interface Plan {
  readonly frequency: Rule['frequency'];
  /** 0 is Sunday. */
  readonly weekStart: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly Weekday[];
  /** In ms after midnight. */
  readonly times: readonly number[];
  readonly positions: readonly number[];
}

const toDay = (local: LocalTime): LocalTime => Math.floor(local / dayMs) * dayMs;

const getWeekday = (local: LocalTime): number => new Date(local).getUTCDay();

const sortUnique = (times: readonly number[]): number[] =>
  [...new Set(times)].sort((a, b) => a - b);

/** Returns the times of day of a rule. Parts that it lacks are those of the first start. */
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
  return sortUnique(times);
};

const toWeekday = (text: string): Weekday => ({
  weekday: weekdayNames.indexOf(text.slice(-2)),
  number: text.length === 2 ? undefined : Number(text.slice(0, -2)),
});

/** Returns the parts of a rule. Days that it lacks are that of the first start. */
const createPlan = ({ frequency, parts }: Rule, first: LocalTime): Plan => {
  const at = new Date(first);
  const numbers = (name: string) => (parts.get(name) ?? []).map(Number);
  const weeks = numbers('BYWEEKNO');
  const hasDays = ['BYYEARDAY', 'BYMONTHDAY', 'BYDAY'].some((name) => parts.has(name));
  const isByWeek = frequency === 'WEEKLY' || weeks.length > 0;
  const isByMonth = !isByWeek && frequency !== 'DAILY';
  const useDefault = (applies: boolean, value: number) => (applies && !hasDays ? [value] : []);
  const months = numbers('BYMONTH');
  return {
    frequency,
    weekStart: weekdayNames.indexOf(parts.get('WKST')?.[0] ?? 'MO'),
    months:
      months.length > 0
        ? months
        : useDefault(isByMonth && frequency === 'YEARLY', at.getUTCMonth() + 1),
    weeks,
    yearDays: numbers('BYYEARDAY'),
    monthDays: parts.has('BYMONTHDAY')
      ? numbers('BYMONTHDAY')
      : useDefault(isByMonth, at.getUTCDate()),
    weekdays: parts.has('BYDAY')
      ? (parts.get('BYDAY') ?? []).map(toWeekday)
      : useDefault(isByWeek, at.getUTCDay()).map((weekday) => ({ weekday, number: undefined })),
    times: getTimes(parts, first),
    positions: numbers('BYSETPOS'),
  };
};

const startOfWeek = (local: LocalTime, weekStart: number): LocalTime =>
  toDay(local) - ((getWeekday(local) - weekStart + 7) % 7) * dayMs;

/** Returns the number of the period of a local time. With week numbers, a week belongs to the year of its fourth day. */
const getPeriodNumber = ({ frequency, weekStart, weeks }: Plan, local: LocalTime): number => {
  const at = new Date(local);
  switch (frequency) {
    case 'DAILY':
      return Math.floor(local / dayMs);
    case 'WEEKLY':
      return Math.floor(startOfWeek(local, weekStart) / weekMs);
    case 'MONTHLY':
      return (at.getUTCFullYear() - 1970) * 12 + at.getUTCMonth();
    case 'YEARLY':
      return weeks.length === 0
        ? at.getUTCFullYear()
        : new Date(startOfWeek(local, weekStart) + 3 * dayMs).getUTCFullYear();
  }
};

/** Returns the start of a period. */
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

/** Returns the nth units of a span, counted from its end if negative. */
const pickByNumber = (
  { from, to }: Span,
  numbers: readonly number[],
  unitMs: number,
): LocalTime[] =>
  numbers
    .map((number) => (number > 0 ? from + (number - 1) * unitMs : to + number * unitMs))
    .filter((at) => at >= from && at < to);

/** Lists the days of a span on a weekday. */
const listWeekdays = ({ from, to }: Span, { weekday, number }: Weekday): LocalTime[] => {
  const first = from + ((weekday - getWeekday(from) + 7) % 7) * dayMs;
  const count = Math.ceil((to - first) / weekMs);
  const all = { from: first, to: first + count * weekMs };
  if (number !== undefined) return pickByNumber(all, [number], weekMs);
  return Array.from({ length: count }, (_, at) => first + at * weekMs);
};

const listDays = ({ from, to }: Span): LocalTime[] =>
  Array.from({ length: (to - from) / dayMs }, (_, at) => from + at * dayMs);

const getMonth = (year: number, month: number): Span => ({
  from: Date.UTC(year, month - 1),
  to: Date.UTC(year, month),
});

const allMonths = Array.from({ length: 12 }, (_, at) => at + 1);

/** Lists the months of a period that the rule names, or returns the whole period if it names none. */
const listMonths = ({ frequency, months, monthDays }: Plan, period: Span): Span[] => {
  const at = new Date(period.from);
  if (frequency === 'MONTHLY') {
    return months.length === 0 || months.includes(at.getUTCMonth() + 1) ? [period] : [];
  }
  if (frequency !== 'YEARLY' || (months.length === 0 && monthDays.length === 0)) return [period];
  const named = months.length > 0 ? months : allMonths;
  return named.map((month) => getMonth(at.getUTCFullYear(), month));
};

/** Lists the candidate days of a period by its most selective part, unsorted. */
const listCandidateDays = (plan: Plan, period: Span): LocalTime[] => {
  const { frequency, weeks, yearDays, monthDays, weekdays } = plan;
  if (frequency === 'DAILY') return [period.from];
  const listNamedWeekdays = (span: Span) =>
    weekdays.flatMap((weekday) => listWeekdays(span, weekday));
  if (weeks.length > 0) {
    const spans = pickByNumber(period, weeks, weekMs).map((from) => ({ from, to: from + weekMs }));
    return spans.flatMap(weekdays.length > 0 ? listNamedWeekdays : listDays);
  }
  if (yearDays.length > 0) return pickByNumber(period, yearDays, dayMs);
  return listMonths(plan, period).flatMap((span) =>
    monthDays.length > 0 ? pickByNumber(span, monthDays, dayMs) : listNamedWeekdays(span),
  );
};

/** Reports whether a list of day numbers is empty or includes a day. */
const matchesNumbers = (numbers: readonly number[], span: Span, day: LocalTime): boolean =>
  numbers.length === 0 || pickByNumber(span, numbers, dayMs).includes(day);

/** Reports whether all parts of the rule match a day. */
const matchesPlan = (plan: Plan, day: LocalTime): boolean => {
  const { frequency, months, yearDays, monthDays, weekdays } = plan;
  const at = new Date(day);
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + 1];
  if (months.length > 0 && !months.includes(month)) return false;
  const yearSpan = { from: Date.UTC(year, 0), to: Date.UTC(year + 1, 0) };
  const monthSpan = getMonth(year, month);
  if (!matchesNumbers(yearDays, yearSpan, day) || !matchesNumbers(monthDays, monthSpan, day))
    return false;
  const frame = frequency === 'MONTHLY' || months.length > 0 ? monthSpan : yearSpan;
  return (
    weekdays.length === 0 ||
    weekdays.some(
      (one) =>
        one.weekday === at.getUTCDay() &&
        (one.number === undefined || listWeekdays(frame, one).includes(day)),
    )
  );
};

/** Applies BYSETPOS to the starts of a period. */
const pickPositions = (positions: readonly number[], starts: LocalTime[]): LocalTime[] =>
  positions.length === 0
    ? starts
    : starts.filter(
        (_, at) => positions.includes(at + 1) || positions.includes(at - starts.length),
      );

/** The starts of a rule in one period. */
export interface Period {
  /** In order. The first period can include some before the first start of the rule. */
  readonly starts: readonly LocalTime[];
  /** The number of days checked. */
  readonly daysChecked: number;
  /** The start of the next period. */
  readonly next: LocalTime;
}

/**
 * Returns a function that returns one period of a rule after another, without end, from that of a local time on. `first` is
 * the first start of the rule.
 */
export const iteratePeriods = (rule: Rule, first: LocalTime, from: LocalTime): (() => Period) => {
  const plan = createPlan(rule, first);
  const { interval } = rule;
  const firstPeriod = getPeriodNumber(plan, first);
  const passed = Math.max(0, getPeriodNumber(plan, from) - firstPeriod);
  let number = firstPeriod + Math.floor(passed / interval) * interval;
  return () => {
    const period = { from: startOfPeriod(plan, number), to: startOfPeriod(plan, number + 1) };
    const days = listCandidateDays(plan, period);
    const named = sortUnique(days.filter((day) => matchesPlan(plan, day)));
    const starts = named.flatMap((day) => plan.times.map((time) => day + time));
    number += interval;
    const next = startOfPeriod(plan, number);
    return { starts: pickPositions(plan.positions, starts), daysChecked: days.length, next };
  };
};
