import { parseRule, type Recurrence, type Weekday, weekdayOf, weekdays } from './rule.ts';
import { ruleTexts as texts } from './texts.ts';

/** 2 January 2023 is a Monday. */
const dateOf = (weekday: Weekday): Date =>
  new Date(Date.UTC(2023, 0, 2 + weekdays.indexOf(weekday)));

const inUtc = { timeZone: 'UTC' } as const;

/** Returns the name of a weekday. */
export const nameWeekday = (
  weekday: Weekday,
  language: string,
  length: 'long' | 'short' = 'long',
): string =>
  new Intl.DateTimeFormat(language, { weekday: length, ...inUtc }).format(dateOf(weekday));

const formatDate = (date: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', ...inUtc }).format(new Date(date));

/** Returns the name of a day of a year: `3 March`. */
const nameDay = (month: number, day: number, language: string): string =>
  new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', ...inUtc }).format(
    Date.UTC(2024, month - 1, day),
  );

const nameMonth = (month: number, language: string): string =>
  new Intl.DateTimeFormat(language, { month: 'long', ...inUtc }).format(
    Date.UTC(2024, month - 1, 1),
  );

const describeDay = (recurrence: Recurrence, start: string, language: string): string => {
  const { frequency, nth, month = Number(start.slice(5, 7)) } = recurrence;
  const { monthDay = Number(start.slice(8, 10)) } = recurrence;
  const inYear = frequency === 'YEARLY';
  if (nth) {
    const day = texts.onNth(texts.ordinals[nth.ordinal], nameWeekday(nth.weekday, language));
    return inYear ? `${day}${texts.ofMonth(nameMonth(month, language))}` : day;
  }
  if (monthDay === -1) {
    return inYear
      ? `${texts.onLastDay}${texts.ofMonth(nameMonth(month, language))}`
      : texts.onLastDay;
  }
  return inYear ? texts.onDays(nameDay(month, monthDay, language)) : texts.onDate(String(monthDay));
};

const describeDays = (recurrence: Recurrence, start: string, language: string): string => {
  const { frequency } = recurrence;
  if (frequency === 'DAILY') return '';
  if (frequency !== 'WEEKLY') return describeDay(recurrence, start, language);
  const chosen = recurrence.weekdays.length > 0 ? recurrence.weekdays : [weekdayOf(start)];
  const names = chosen.map((day) => nameWeekday(day, language));
  return texts.onDays(new Intl.ListFormat(language).format(names));
};

/**
 * Says what a recurrence means: “Every 2 weeks on Monday and Thursday until 3 March 2027”. `start` is the date of the first
 * event.
 */
export const describeRecurrence = (
  recurrence: Recurrence,
  start: string,
  language: string,
): string => {
  const { frequency, interval, ending } = recurrence;
  const number = (value: number) => new Intl.NumberFormat(language).format(value);
  const every =
    interval === 1 ? texts.every[frequency] : texts.everyOther[frequency](number(interval));
  const end = {
    never: () => '',
    until: () =>
      ending.kind === 'until' ? texts.untilDate(formatDate(ending.date, language)) : '',
    count: () => (ending.kind === 'count' ? texts.times(ending.count, number(ending.count)) : ''),
  }[ending.kind]();
  return `${every}${describeDays(recurrence, start, language)}${end}`;
};

/** Says what a rule means. Returns `undefined` for one that only its own text says. */
export const describeRule = (
  rule: string,
  {
    start,
    zone,
    language,
  }: { readonly start: string; readonly zone: string; readonly language: string },
): string | undefined => {
  const recurrence = parseRule(rule, zone);
  return recurrence && describeRecurrence(recurrence, start, language);
};
