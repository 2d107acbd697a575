import { invalidField } from '../../../../shared/runtime/errors.ts';
import {
  createWorkBudget,
  endOfTime,
  findNthStart,
  isStart,
  type Recurrence,
  type SortableTime,
  type WorkBudget,
} from '../recurrence/recurrence.ts';
import { formatRule, parseRule, type Rule } from '../recurrence/rule.ts';
import {
  dayMs,
  type GivenTime,
  localToInstant,
  parseTime,
  startOfDate,
  toGivenLocalTime,
  toInstant,
} from '../recurrence/time.ts';
import { getDuration, type Schedule, toSortableTime, toTimeField } from './event.ts';
import { moveExceptions } from './exceptions.ts';

/** A requested schedule. */
export interface GivenSchedule {
  readonly start: string;
  /** Absent: one day for an all-day event, otherwise no duration (RFC 5545 §3.6.1). */
  readonly end: string | undefined;
  /** Absent: true if `start` is a date. */
  readonly allDay: boolean | undefined;
  readonly timezone: string;
  readonly rrule: string | undefined;
  /** Absent: those of the current event, moved along with it. */
  readonly exdates: readonly string[] | undefined;
}

const maxDurationMs = 366 * dayMs;
const [firstYear, lastYear] = [1900, 2199];

const timeFormat =
  'must be a date such as 2026-11-21 or a time such as 2026-11-21T09:30:00Z; times without an offset are in `timezone`';

/**
 * Parses a time of the input.
 * @throws AppError VALIDATION_ERROR for `field`
 */
export const readTime = (field: string, text: string): GivenTime => {
  const given = parseTime(text);
  if (!given) throw invalidField(field, timeFormat);
  return given;
};

/** Parses start and end; for an all-day event, whole days. */
const readTimes = (
  given: Pick<GivenSchedule, 'start' | 'end' | 'timezone'>,
  allDay: boolean,
): { readonly start: SortableTime; readonly end: SortableTime } => {
  const { timezone } = given;
  const from = readTime('start', given.start);
  const to = given.end === undefined ? undefined : readTime('end', given.end);
  if (!allDay) {
    const start = toInstant(from, timezone);
    return { start, end: to ? toInstant(to, timezone) : start };
  }
  const start = Math.floor(toGivenLocalTime(from, timezone) / dayMs) * dayMs;
  const end = to ? Math.ceil(toGivenLocalTime(to, timezone) / dayMs) * dayMs : start;
  // Many clients send the same day as start and end of a one-day event.
  return { start, end: end === start ? start + dayMs : end };
};

/**
 * Resolves the start and end of an event or occurrence.
 * @throws AppError VALIDATION_ERROR for `start` or `end`
 */
export const resolveTimes = (
  given: Pick<GivenSchedule, 'start' | 'end' | 'timezone'>,
  allDay: boolean,
): { readonly start: SortableTime; readonly end: SortableTime } => {
  const { start, end } = readTimes(given, allDay);
  for (const [field, time] of Object.entries({ start, end })) {
    const year = new Date(time).getUTCFullYear();
    if (year < firstYear || year > lastYear) {
      throw invalidField(field, `must be in the years ${firstYear} to ${lastYear}`);
    }
  }
  if (end < start) throw invalidField('end', 'must not be before start');
  if (end - start > maxDurationMs) {
    throw invalidField('end', 'must be at most 366 days after start');
  }
  return { start, end };
};

/** Returns the latest possible start according to the UNTIL of a rule. */
const readUntil = (until: string, allDay: boolean, zone: string): SortableTime => {
  const [, date = '', time] =
    /^(\d{8})(T\d{6}Z?)?$/
      .exec(until)
      ?.map((text) =>
        text
          ?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')
          .replace(/T(\d\d)(\d\d)(\d\d)/, 'T$1:$2:$3'),
      ) ?? [];
  const given = parseTime(`${date}${time ?? ''}`);
  if (!given) throw invalidField('rrule', 'UNTIL must be a valid date or time');
  if (allDay) return Math.floor(toGivenLocalTime(given, zone) / dayMs) * dayMs;
  // A date includes the whole day.
  return given.kind === 'date'
    ? localToInstant(given.local + dayMs, zone) - 1_000
    : toInstant(given, zone);
};

const compact = (time: string): string => time.replaceAll(/[-:]|\.000/g, '');

interface Recurring {
  readonly recurrence: Recurrence;
  readonly rrule: string;
}

/** Creates the recurrence of a rule, from its first occurrence on. */
const resolveRule = (
  rule: Rule,
  start: SortableTime,
  { allDay, timezone }: { readonly allDay: boolean; readonly timezone: string },
  steps: WorkBudget,
): Recurring => {
  const zone = allDay ? undefined : timezone;
  const unbounded = { start, zone, rule, lastStart: undefined };
  const until =
    rule.until === undefined
      ? undefined
      : Math.min(readUntil(rule.until, allDay, timezone), endOfTime);
  const first = findNthStart(unbounded, 1, start, endOfTime, steps);
  if (first === undefined) {
    throw invalidField('rrule', 'has no occurrences');
  }
  if (until !== undefined && until < first) {
    throw invalidField('rrule', 'UNTIL must not be before the first occurrence');
  }
  const from = { ...unbounded, start: first };
  const last =
    rule.count === undefined ? until : findNthStart(from, rule.count, first, endOfTime, steps);
  if (rule.count !== undefined && last === undefined) {
    throw invalidField('rrule', 'is too long for COUNT; use UNTIL');
  }
  return {
    recurrence: { ...from, lastStart: last },
    rrule: formatRule(
      rule,
      until === undefined ? undefined : compact(toTimeField({ allDay }, until)),
    ),
  };
};

/** Finds the start according to the rule that equals a time or is on a date. */
export const findStart = (
  recurrence: Recurrence,
  given: GivenTime,
  timezone: string,
): SortableTime | undefined => {
  const isAllDay = recurrence.zone === undefined;
  if (given.kind === 'date' && !isAllDay) {
    const date = new Date(given.local).toISOString().slice(0, 10);
    const from = startOfDate(date, timezone);
    return findNthStart(recurrence, 1, from, localToInstant(given.local + dayMs, timezone));
  }
  const tick = isAllDay
    ? Math.floor(toGivenLocalTime(given, timezone) / dayMs) * dayMs
    : toInstant(given, timezone);
  return isStart(recurrence, tick) ? tick : undefined;
};

/** Returns the recurrence of an event; `undefined` for a single event. */
export const parseRecurrence = (schedule: Schedule): Recurrence | undefined => {
  const { rrule, allDay, timezone, start, lastStart } = schedule;
  if (rrule === undefined) return undefined;
  return {
    start: toSortableTime(schedule, start),
    zone: allDay ? undefined : timezone,
    rule: parseRule(rrule, allDay),
    lastStart: lastStart === undefined ? undefined : toSortableTime(schedule, lastStart),
  };
};

/** Returns the starts according to a rule that match these times. Skips times without a match. */
const readExdates = (
  texts: readonly string[],
  recurrence: Recurrence,
  base: Pick<Schedule, 'allDay' | 'timezone'>,
): readonly string[] => {
  const found = texts.flatMap((text, at) => {
    const tick = findStart(recurrence, readTime(`exdates.${at}`, text), base.timezone);
    return tick === undefined ? [] : [toTimeField(base, tick)];
  });
  return [...new Set(found)].sort();
};

/**
 * Validates and resolves a schedule. For a recurring event, `start` and `end` move to the first occurrence. The exceptions
 * of `before`, the current schedule, move along; those without an occurrence are dropped.
 * @throws AppError VALIDATION_ERROR for `start`, `end`, `rrule` or `exdates`
 */
export const toSchedule = (given: GivenSchedule, before?: Schedule): Schedule => {
  const { timezone } = given;
  const allDay = given.allDay ?? readTime('start', given.start).kind === 'date';
  const { start, end } = resolveTimes(given, allDay);
  const base = { allDay, timezone };
  if (given.rrule === undefined) {
    const times = { start: toTimeField(base, start), end: toTimeField(base, end) };
    return { ...base, ...times, exdates: [], overrides: [] };
  }
  const rule = parseRule(given.rrule, allDay);
  const { recurrence, rrule } = resolveRule(rule, start, base, createWorkBudget());
  const first = recurrence.start;
  const durationMs = end - start;
  const { exdates, overrides } = before
    ? moveExceptions(before, { ...base, start, durationMs, recurrence })
    : { exdates: [], overrides: [] };
  return {
    ...base,
    start: toTimeField(base, first),
    end: toTimeField(base, first + durationMs),
    rrule,
    ...(recurrence.lastStart !== undefined && {
      lastStart: toTimeField(base, recurrence.lastStart),
    }),
    exdates: given.exdates ? readExdates(given.exdates, recurrence, base) : exdates,
    overrides,
  };
};

/** Reports whether these are exactly the canceled occurrences of an event. */
export const areSameExdates = (schedule: Schedule, exdates: readonly string[]): boolean => {
  const recurrence = parseRecurrence(schedule);
  if (!recurrence) return exdates.length === 0;
  const given = exdates.map(parseTime);
  const starts = given.map((time) => time && findStart(recurrence, time, schedule.timezone));
  const named = starts.map((tick) => (tick === undefined ? '' : toTimeField(schedule, tick)));
  return JSON.stringify([...new Set(named)].sort()) === JSON.stringify(schedule.exdates);
};

/** Reports whether two schedules have the same times, ignoring exceptions. */
export const isSameTime = (one: Schedule, other: Schedule): boolean =>
  one.allDay === other.allDay &&
  one.start === other.start &&
  getDuration(one) === getDuration(other) &&
  one.timezone === other.timezone &&
  one.rrule === other.rrule;
