import { invalidField } from '../../../../shared/runtime/errors.ts';
import {
  createRecurrence,
  createWorkBudget,
  endOfTime,
  findFirstFrom,
  isStart,
  type Recurrence,
  type SortableTime,
  startNumber,
  type WorkBudget,
} from '../recurrence/recurrence.ts';
import { formatRule, parseRule, type Rule } from '../recurrence/rule.ts';
import {
  dayMs,
  type GivenTime,
  localToInstant,
  parseTime,
  startOfDate,
  toInstant,
  toWallTime,
} from '../recurrence/time.ts';
import { getDuration, type Schedule, toSortableTime, toTimeField } from './event.ts';
import { moveExceptions } from './exceptions.ts';

/** When something is to happen, as it is asked for. */
export interface GivenSchedule {
  readonly start: string;
  /** Absent: all-day, that one day; otherwise no longer than a moment (RFC 5545 §3.6.1). */
  readonly end: string | undefined;
  /** Absent: where `start` is a date. */
  readonly allDay: boolean | undefined;
  readonly timezone: string;
  readonly rrule: string | undefined;
  /** Absent: those of the event as it was, moved along with it. */
  readonly exdates: readonly string[] | undefined;
}

const maxDurationMs = 366 * dayMs;
const [firstYear, lastYear] = [1900, 2199];

const aTime =
  'must be a date such as 2026-11-21 or a time such as 2026-11-21T09:30:00Z; a time without an offset is one of `timezone`';

/**
 * A time of the input.
 * @throws AppError VALIDATION_ERROR about `field`
 */
export const readTime = (field: string, text: string): GivenTime => {
  const given = parseTime(text);
  if (!given) throw invalidField(field, aTime);
  return given;
};

/** Start and end as ticks, of an all-day event whole days. */
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
  const start = Math.floor(toWallTime(from, timezone) / dayMs) * dayMs;
  const end = to ? Math.ceil(toWallTime(to, timezone) / dayMs) * dayMs : start;
  // Many name the one day twice, instead of the day after it.
  return { start, end: end === start ? start + dayMs : end };
};

/**
 * When one occurrence is, of an event that takes these times.
 * @throws AppError VALIDATION_ERROR about `start` or `end`
 */
export const resolveTimes = (
  given: Pick<GivenSchedule, 'start' | 'end' | 'timezone'>,
  allDay: boolean,
): { readonly start: SortableTime; readonly end: SortableTime } => {
  const { start, end } = readTimes(given, allDay);
  for (const [field, tick] of Object.entries({ start, end })) {
    const year = new Date(tick).getUTCFullYear();
    if (year < firstYear || year > lastYear) {
      throw invalidField(field, `must be in the years ${firstYear} to ${lastYear}`);
    }
  }
  if (end < start) throw invalidField('end', 'must not be before start');
  if (end - start > maxDurationMs) {
    throw invalidField('end', 'must be at most 366 days after start; what is longer can recur');
  }
  return { start, end };
};

/** The tick after which nothing may start, by the UNTIL of a rule. */
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
  if (!given) throw invalidField('rrule', `has UNTIL=${until}, which is no time of the calendar`);
  if (allDay) return Math.floor(toWallTime(given, zone) / dayMs) * dayMs;
  // A date means all of that day.
  return given.kind === 'date'
    ? localToInstant(given.wall + dayMs, zone) - 1_000
    : toInstant(given, zone);
};

const compact = (time: string): string => time.replaceAll(/[-:]|\.000/g, '');

interface Recurring {
  readonly recurrence: Recurrence;
  readonly rrule: string;
}

/** A rule from its first start on; that is the first one which fits it. */
const readRule = (
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
  const first = findFirstFrom(unbounded, start, endOfTime, steps);
  if (first === undefined) {
    throw invalidField('rrule', 'has no occurrence within reach of start');
  }
  if (until !== undefined && until < first) {
    throw invalidField('rrule', 'ends with UNTIL before its first occurrence');
  }
  const from = { ...unbounded, start: first };
  const last = rule.count === undefined ? until : startNumber(from, rule.count, endOfTime, steps);
  if (rule.count !== undefined && last === undefined) {
    throw invalidField('rrule', 'reaches too far with COUNT: name its end by UNTIL');
  }
  return {
    recurrence: { ...from, lastStart: last },
    rrule: formatRule(
      rule,
      until === undefined ? undefined : compact(toTimeField({ allDay }, until)),
    ),
  };
};

/** The start by the rule that a user names: the very time, or the date of it. */
export const findStart = (
  recurrence: Recurrence,
  given: GivenTime,
  timezone: string,
): SortableTime | undefined => {
  const isAllDay = recurrence.zone === undefined;
  if (given.kind === 'date' && !isAllDay) {
    const date = new Date(given.wall).toISOString().slice(0, 10);
    const from = startOfDate(date, timezone);
    return findFirstFrom(recurrence, from, localToInstant(given.wall + dayMs, timezone));
  }
  const tick = isAllDay
    ? Math.floor(toWallTime(given, timezone) / dayMs) * dayMs
    : toInstant(given, timezone);
  return isStart(recurrence, tick) ? tick : undefined;
};

/** The recurrence of an event; `undefined` where it happens once. */
export const parseRecurrence = (schedule: Schedule): Recurrence | undefined => {
  const { rrule, allDay, timezone, start, lastStart } = schedule;
  if (rrule === undefined) return undefined;
  return createRecurrence(
    rrule,
    toSortableTime(schedule, start),
    allDay ? undefined : timezone,
    lastStart === undefined ? undefined : toSortableTime(schedule, lastStart),
  );
};

/** The starts by a rule that are named; what names none is left out. */
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
 * When something happens, checked. Of what recurs, `start` moves on to the first occurrence, `end` with it. `before` is
 * when it happened until now, whose exceptions move along; those that are no occurrences of the rule are left out.
 * @throws AppError VALIDATION_ERROR about `start`, `end`, `rrule` or `exdates`
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
  const { recurrence, rrule } = readRule(rule, start, base, createWorkBudget());
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

/** Are these the occurrences of an event that are cancelled already? */
export const isCancelled = (schedule: Schedule, exdates: readonly string[]): boolean => {
  const recurrence = parseRecurrence(schedule);
  if (!recurrence) return exdates.length === 0;
  const given = exdates.map(parseTime);
  const starts = given.map((time) => time && findStart(recurrence, time, schedule.timezone));
  const named = starts.map((tick) => (tick === undefined ? '' : toTimeField(schedule, tick)));
  return JSON.stringify([...new Set(named)].sort()) === JSON.stringify(schedule.exdates);
};

/** Do two schedules happen at the same times, apart from single occurrences? */
export const isSameTime = (one: Schedule, other: Schedule): boolean =>
  one.allDay === other.allDay &&
  one.start === other.start &&
  getDuration(one) === getDuration(other) &&
  one.timezone === other.timezone &&
  one.rrule === other.rrule;
