import fc from '../../../support/run/properties.ts';

/*
 * Expands a rule day by day as RFC 5545 §3.3.10 defines it. It is slow and shares no code with the service.
 */

const dayMs = 86_400_000;
const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** A rule with an empty list for each absent part. A weekday can have a number, as in `-1FR`. */
export interface ModelRule {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  readonly interval: number;
  readonly months: readonly number[];
  readonly weeks: readonly number[];
  readonly yearDays: readonly number[];
  readonly monthDays: readonly number[];
  readonly weekdays: readonly string[];
  readonly hours: readonly number[];
  readonly positions: readonly number[];
  readonly weekStart: string;
}

const list = <T>(one: fc.Arbitrary<T>, max = 3): fc.Arbitrary<T[]> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant<T[]>([]) },
    { weight: 1, arbitrary: fc.uniqueArray(one, { minLength: 1, maxLength: max }) },
  );

const signed = (...numbers: readonly number[]) =>
  fc.constantFrom(...numbers.flatMap((number) => [number, -number]));

const aWeekday = fc.constantFrom(...weekdays);
const numbered = fc
  .tuple(fc.constantFrom('', '', '1', '-1', '2', '4', '-2', '5', '-5'), aWeekday)
  .map((parts) => parts.join(''));

/** Generates rules whose parts can be combined, mostly the combinations that RFC 5545 expands. */
export const aRule: fc.Arbitrary<ModelRule> = fc
  .record({
    frequency: fc.constantFrom('DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'YEARLY'),
    interval: fc.integer({ min: 1, max: 5 }),
    months: list(fc.integer({ min: 1, max: 12 })),
    weeks: list(signed(1, 2, 20, 51, 52, 53), 2),
    yearDays: list(signed(1, 3, 60, 100, 200, 365, 366)),
    monthDays: list(signed(1, 13, 28, 29, 30, 31)),
    weekdays: list(numbered),
    hours: list(fc.integer({ min: 0, max: 23 })),
    positions: list(signed(1, 2, 3, 5), 2),
    weekStart: fc.constantFrom('MO', 'SU', 'WE'),
  } as const)
  .map((rule): ModelRule => {
    const { frequency } = rule;
    const weeks = frequency === 'YEARLY' ? rule.weeks : [];
    const hasNumbers = frequency === 'MONTHLY' || (frequency === 'YEARLY' && weeks.length === 0);
    const lists = {
      weeks,
      yearDays: frequency === 'YEARLY' ? rule.yearDays : [],
      monthDays: frequency === 'WEEKLY' ? [] : rule.monthDays,
      weekdays: hasNumbers ? rule.weekdays : rule.weekdays.map((day) => day.slice(-2)),
    };
    const hasOthers = [rule.months, rule.hours, ...Object.values(lists)].flat().length > 0;
    return { ...rule, ...lists, positions: hasOthers ? rule.positions : [] };
  });

/** Formats the rule as a user sends it. */
export const textOf = (rule: ModelRule): string => {
  const lists = {
    BYMONTH: rule.months,
    BYWEEKNO: rule.weeks,
    BYYEARDAY: rule.yearDays,
    BYMONTHDAY: rule.monthDays,
    BYDAY: rule.weekdays,
    BYHOUR: rule.hours,
    BYSETPOS: rule.positions,
  };
  return [
    `FREQ=${rule.frequency};INTERVAL=${rule.interval};WKST=${rule.weekStart}`,
    ...Object.entries(lists)
      .filter(([, values]) => values.length > 0)
      .map(([name, values]) => `${name}=${values}`),
  ].join(';');
};

const yearOf = (day: Date) => day.getUTCFullYear();
const daysBetween = (from: number, day: Date) => Math.floor((day.getTime() - from) / dayMs);

/** Returns the week of a day. A week belongs to the year of its fourth day. */
const weekOf = ({ weekStart }: ModelRule, day: Date) => {
  const back = (day.getUTCDay() - weekdays.indexOf(weekStart) + 7) % 7;
  const fourth = new Date(day.getTime() + (3 - back) * dayMs);
  const year = yearOf(fourth);
  return { year, number: 1 + Math.floor(daysBetween(Date.UTC(year, 0), fourth) / 7) };
};

/** Counts the periods of the rule up to that of a day. */
const periodOf = (rule: ModelRule, day: Date): number => {
  const sunday = daysBetween(0, day) + 4 - weekdays.indexOf(rule.weekStart);
  switch (rule.frequency) {
    case 'DAILY':
      return daysBetween(0, day);
    case 'WEEKLY':
      return Math.floor(sunday / 7);
    case 'MONTHLY':
      return yearOf(day) * 12 + day.getUTCMonth();
    default:
      return rule.weeks.length > 0 ? weekOf(rule, day).year : yearOf(day);
  }
};

/** Returns whether a number from the start or the end selects this one of n. */
const isNumbered = (numbers: readonly number[], number: number, many: number): boolean =>
  numbers.includes(number) || numbers.includes(number - many - 1);

const isWeekday = (rule: ModelRule, day: Date): boolean =>
  rule.weekdays.some((written) => {
    if (written.slice(-2) !== weekdays[day.getUTCDay()]) return false;
    if (written.length === 2) return true;
    const inMonth = rule.frequency === 'MONTHLY' || rule.months.length > 0;
    const [year, month] = [yearOf(day), day.getUTCMonth()];
    const from = Date.UTC(year, inMonth ? month : 0);
    const over = inMonth ? Date.UTC(year, month + 1) : Date.UTC(year + 1, 0);
    const before = Math.floor(daysBetween(from, day) / 7);
    const after = Math.floor(((over - day.getTime()) / dayMs - 1) / 7);
    return isNumbered([Number(written.slice(0, -2))], before + 1, before + after + 1);
  });

/** Returns whether a rule that starts on the first day includes another day. */
const isOn = (rule: ModelRule, first: Date, day: Date): boolean => {
  const { frequency, months, weeks, yearDays, monthDays } = rule;
  const [year, month, date] = [yearOf(day), day.getUTCMonth(), day.getUTCDate()];
  const lastDate = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const yearDay = daysBetween(Date.UTC(year, 0), day) + 1;
  const daysOfYear = daysBetween(Date.UTC(year, 0), new Date(Date.UTC(year + 1, 0)));
  if (months.length > 0 && !months.includes(month + 1)) return false;
  if (yearDays.length > 0 && !isNumbered(yearDays, yearDay, daysOfYear)) return false;
  if (monthDays.length > 0 && !isNumbered(monthDays, date, lastDate)) return false;
  if (weeks.length > 0) {
    const week = weekOf(rule, day);
    // December 28 is always in the last week.
    const last = weekOf(rule, new Date(Date.UTC(week.year, 11, 28))).number;
    if (!isNumbered(weeks, week.number, last)) return false;
  }
  if (rule.weekdays.length > 0) return isWeekday(rule, day);
  // The start provides the values of absent parts.
  if (frequency === 'DAILY' || yearDays.length > 0 || monthDays.length > 0) return true;
  if (frequency === 'WEEKLY' || weeks.length > 0) return day.getUTCDay() === first.getUTCDay();
  if (date !== first.getUTCDate()) return false;
  return frequency === 'MONTHLY' || months.length > 0 || month === first.getUTCMonth();
};

const chosen = (positions: readonly number[], starts: readonly number[]): readonly number[] =>
  positions.length === 0
    ? starts
    : starts.filter((_, at) => isNumbered(positions, at + 1, starts.length));

/** Returns the first starts of a rule from a tick until 2060 by checking every day. */
export const plainly = (rule: ModelRule, start: number, from: number, count: number): number[] => {
  const first = new Date(start);
  const hours =
    rule.hours.length > 0 ? rule.hours.toSorted((a, b) => a - b) : [first.getUTCHours()];
  const firstPeriod = periodOf(rule, first);
  const found: number[] = [];
  let [period, starts] = [firstPeriod, [] as number[]];
  // The first period can start up to a year earlier.
  const midnight = Math.floor(start / dayMs) * dayMs - 372 * dayMs;
  for (let day = midnight; day < Date.UTC(2062) && found.length < count; day += dayMs) {
    const on = new Date(day);
    const itsPeriod = periodOf(rule, on);
    if (itsPeriod !== period) {
      found.push(...chosen(rule.positions, starts).filter((at) => at >= Math.max(start, from)));
      [period, starts] = [itsPeriod, []];
    }
    if (period < firstPeriod || (period - firstPeriod) % rule.interval !== 0) continue;
    if (!isOn(rule, first, on)) continue;
    starts.push(...hours.map((hour) => day + (hour * 60 + first.getUTCMinutes()) * 60_000));
  }
  return found.filter((at) => at < Date.UTC(2060)).slice(0, count);
};
