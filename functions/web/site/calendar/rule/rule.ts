import { addDays, countDays } from '../time/days.ts';
import { toLocal, writeDate } from '../time/local.ts';

export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

export const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
export type Frequency = (typeof frequencies)[number];

/** Which of these weekdays of a month; -1 is the last. */
export const ordinals = [1, 2, 3, 4, -1] as const;
export type Ordinal = (typeof ordinals)[number];

/** A day of the month that isn’t always the same: the second Tuesday. */
export interface NthWeekday {
  readonly ordinal: Ordinal;
  readonly weekday: Weekday;
}

/** When a recurrence ends. A date is inclusive. */
export type Ending =
  | { readonly kind: 'never' }
  | { readonly kind: 'until'; readonly date: string }
  | { readonly kind: 'count'; readonly count: number };

/** A recurrence as most people use it. */
export interface Recurrence {
  readonly frequency: Frequency;
  readonly interval: number;
  /** For `WEEKLY`; none: that of the first event. */
  readonly weekdays: readonly Weekday[];
  /** For `MONTHLY` and `YEARLY`; -1 is the last day of the month. Without it and `nth`, the date of the first event. */
  readonly monthDay?: number | undefined;
  /** For `YEARLY`, with `monthDay` or `nth`: 1 to 12. */
  readonly month?: number;
  /** For `MONTHLY` and `YEARLY`. */
  readonly nth?: NthWeekday | undefined;
  /** The first day of a week, which decides which weeks are left out. */
  readonly weekStart?: Weekday;
  readonly ending: Ending;
}

const toNumber = (text: string, min: number, max: number): number | undefined =>
  /^-?\d{1,4}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;

const toWeekday = (text: string): Weekday | undefined => weekdays.find((day) => day === text);

const parseNth = (text: string): NthWeekday | undefined => {
  const [, number = '', day = ''] = /^(-?\d)(\w\w)$/.exec(text) ?? [];
  const ordinal = ordinals.find((one) => String(one) === number);
  const weekday = toWeekday(day);
  return ordinal && weekday ? { ordinal, weekday } : undefined;
};

/** Parses `20270303` or `20270303T225959Z` to the date in a time zone. */
const parseUntil = (text: string, zone: string): string | undefined => {
  const [, year, month, day, time] = /^(\d{4})(\d\d)(\d\d)(?:T(\d{6})(?:Z))?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const date = `${year}-${month}-${day}`;
  if (time === undefined) return date;
  const at = time.replace(/(\d\d)(\d\d)(\d\d)/, '$1:$2:$3');
  return writeDate(toLocal(`${date}T${at}Z`, zone));
};

const parseEnding = (
  { COUNT, UNTIL }: Readonly<Record<string, string | undefined>>,
  zone: string,
): Ending | undefined => {
  if (COUNT !== undefined) {
    const count = toNumber(COUNT, 1, 1_000);
    return count && UNTIL === undefined ? { kind: 'count', count } : undefined;
  }
  if (UNTIL === undefined) return { kind: 'never' };
  const date = parseUntil(UNTIL, zone);
  return date === undefined ? undefined : { kind: 'until', date };
};

/** The parts besides `FREQ`, `INTERVAL`, `COUNT`, `UNTIL` and `WKST` that each frequency can have here. */
const knownParts: Readonly<Record<Frequency, readonly string[]>> = {
  DAILY: [],
  WEEKLY: ['BYDAY'],
  MONTHLY: ['BYDAY', 'BYMONTHDAY'],
  YEARLY: ['BYDAY', 'BYMONTHDAY', 'BYMONTH'],
};

/**
 * Parses a rule (RRULE of RFC 5545). `zone` is that of the event. Returns `undefined` for rules that this form of a
 * recurrence can’t say.
 */
export const parseRule = (rule: string, zone: string): Recurrence | undefined => {
  const parts = rule.split(';').map((part) => part.split('=') as [string, string?]);
  const named = Object.fromEntries(parts) as Readonly<Record<string, string | undefined>>;
  const { FREQ, INTERVAL = '1', COUNT, UNTIL, WKST, BYDAY, BYMONTHDAY, BYMONTH, ...rest } = named;
  const frequency = frequencies.find((one) => one === FREQ);
  const interval = toNumber(INTERVAL, 1, 1_000);
  const ending = parseEnding({ COUNT, UNTIL }, zone);
  if (!frequency || !interval || !ending || Object.keys(rest).length > 0) return undefined;
  const has = { BYDAY, BYMONTHDAY, BYMONTH };
  const isKnown = Object.entries(has).every(
    ([name, value]) => value === undefined || knownParts[frequency].includes(name),
  );
  if (!isKnown) return undefined;
  const weekStart = WKST === undefined ? undefined : toWeekday(WKST);
  if (WKST !== undefined && !weekStart) return undefined;
  const common = { frequency, interval, weekdays: [], ending, ...(weekStart && { weekStart }) };
  if (frequency === 'WEEKLY') {
    const chosen = BYDAY?.split(',').map(toWeekday) ?? [];
    if (chosen.includes(undefined)) return undefined;
    return { ...common, weekdays: weekdays.filter((day) => chosen.includes(day)) };
  }
  const monthDay = BYMONTHDAY === undefined ? undefined : toNumber(BYMONTHDAY, -1, 31);
  const nth = BYDAY === undefined ? undefined : parseNth(BYDAY);
  const month = BYMONTH === undefined ? undefined : toNumber(BYMONTH, 1, 12);
  if (BYMONTHDAY !== undefined && !monthDay) return undefined;
  if (BYDAY !== undefined && (!nth || BYMONTHDAY !== undefined)) return undefined;
  if (BYMONTH !== undefined && !month) return undefined;
  // In a year, both say which day, or neither.
  const hasDay = monthDay !== undefined || nth !== undefined;
  if (frequency === 'YEARLY' && hasDay !== (month !== undefined)) return undefined;
  return { ...common, ...(monthDay && { monthDay }), ...(nth && { nth }), ...(month && { month }) };
};

/** Writes a recurrence as a rule. An end date is written without a time, which includes the whole day. */
export const writeRule = (recurrence: Recurrence): string => {
  const { frequency, interval, monthDay, month, nth, weekStart, ending } = recurrence;
  const days = frequency === 'WEEKLY' ? recurrence.weekdays.join(',') : '';
  const byDay = nth ? `${nth.ordinal}${nth.weekday}` : days;
  return [
    `FREQ=${frequency}`,
    interval > 1 && `INTERVAL=${interval}`,
    month !== undefined && `BYMONTH=${month}`,
    monthDay !== undefined && `BYMONTHDAY=${monthDay}`,
    byDay !== '' && `BYDAY=${byDay}`,
    weekStart && `WKST=${weekStart}`,
    ending.kind === 'count' && `COUNT=${ending.count}`,
    ending.kind === 'until' && `UNTIL=${ending.date.replaceAll('-', '')}`,
  ]
    .filter(Boolean)
    .join(';');
};

/** Returns the weekday of a date. */
export const weekdayOf = (date: string): Weekday =>
  weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] ?? 'MO';

/** Returns which weekday of its month a date is. A fifth one is the last. */
export const nthOf = (date: string): NthWeekday => {
  const week = Math.ceil(Number(date.slice(8)) / 7);
  const ordinal = ordinals.find((one) => one === week) ?? -1;
  return { ordinal, weekday: weekdayOf(date) };
};

interface Move {
  /** The date of the first event, before and after. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

/** Moves each weekday by as many days, and a day of the month or year to the new one. */
const moveDays = (recurrence: Recurrence, { from, to }: Move): Recurrence => {
  const { monthDay, month, nth } = recurrence;
  const days = countDays(from, to);
  const moved = recurrence.weekdays.map(
    (day) => weekdays[(((weekdays.indexOf(day) + days) % 7) + 7) % 7],
  );
  return {
    ...recurrence,
    weekdays: weekdays.filter((day) => moved.includes(day)),
    ...(monthDay !== undefined && { monthDay: Number(to.slice(8)) }),
    ...(month !== undefined && { month: Number(to.slice(5, 7)) }),
    ...(nth && { nth: nthOf(to) }),
  };
};

/**
 * Moves a rule along with its event: its days, and its end by as many days. Returns `undefined` if the rule is none that a
 * move can follow.
 */
export const moveRule = (rule: string, move: Move): string | undefined => {
  const recurrence = parseRule(rule, move.zone);
  if (!recurrence) return undefined;
  const { ending } = recurrence;
  const days = countDays(move.from, move.to);
  return writeRule({
    ...moveDays(recurrence, move),
    ...(ending.kind === 'until' && { ending: { ...ending, date: addDays(ending.date, days) } }),
  });
};

/** Returns a rule whose days follow a start that is written anew, if they are those of the start. Its end stays. */
export const followStart = (rule: string, move: Move): string => {
  const recurrence = parseRule(rule, move.zone);
  if (!recurrence) return rule;
  const { monthDay, nth } = recurrence;
  const { ordinal, weekday } = nthOf(move.from);
  const isOfStart =
    recurrence.weekdays.includes(weekdayOf(move.from)) ||
    monthDay === Number(move.from.slice(8)) ||
    (nth?.ordinal === ordinal && nth.weekday === weekday);
  return isOfStart ? writeRule(moveDays(recurrence, move)) : rule;
};
