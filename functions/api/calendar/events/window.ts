import type { Actor } from '../../../../shared/auth/actor.ts';
import { invalidField } from '../../../../shared/runtime/errors.ts';
import { getTimeZone } from '../record/event.ts';
import { readTime } from '../record/schedule.ts';
import {
  dayMs,
  type GivenTime,
  localTimeFromDate,
  localToInstant,
  toDateAt,
  toInstant,
  toLocalTime,
  toWallTime,
} from '../recurrence/time.ts';
import { type OccurrenceSet, readOccurrences } from './occurrence-list.ts';

/** Which window of time is asked for; what is absent is chosen. */
export interface AskedWindow {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  readonly timezone?: string | undefined;
}

/** What takes place in a window (instants, in ms since 1970). */
export interface WindowOfEvents extends OccurrenceSet {
  readonly start: number;
  readonly end: number;
  readonly timezone: string;
}

const maxSpanMs = 36_525 * dayMs;
/** A year has four digits. */
const latest = Date.UTC(10_000, 0) - 1;

/** The first moment of a month in a zone; `later` counts months from that of the wall time. */
const startOfMonth = (wall: number, later: number, zone: string): number => {
  const at = new Date(wall);
  return localToInstant(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + later), zone);
};

/** @throws AppError VALIDATION_ERROR about `field` */
const assertYear = (field: string, given: GivenTime, zone: string): void => {
  const year = new Date(toInstant(given, zone)).getUTCFullYear();
  if (year < 1 || year > 9_999) throw invalidField(field, 'must be in the years 1 to 9999');
};

/**
 * The window that is asked for: this month where nothing is said; a month from `start`, or the month up to `end`, where
 * only one of them is. An `end` that is a day is the last one of the window.
 * @throws AppError VALIDATION_ERROR about `start` or `end`
 */
export const toWindow = (actor: Actor, asked: AskedWindow) => {
  const timezone = asked.timezone ?? getTimeZone(actor);
  const read = (field: 'start' | 'end') => {
    const text = asked[field];
    return text === undefined ? undefined : readTime(field, text);
  };
  const [from, named] = [read('start'), read('end')];
  if (named) assertYear('end', named, timezone);
  // A day that a window ends with belongs to it.
  const to = named?.kind === 'date' ? { ...named, wall: named.wall + dayMs } : named;
  if (from) assertYear('start', from, timezone);
  const monthFrom = (given: GivenTime, months: number) => {
    const at = new Date(toWallTime(given, timezone));
    at.setUTCMonth(at.getUTCMonth() + months);
    return Math.min(localToInstant(at.getTime(), timezone), latest);
  };
  const thisMonth = toLocalTime(Date.now(), timezone);
  const start = from
    ? toInstant(from, timezone)
    : to
      ? monthFrom(to, -1)
      : startOfMonth(thisMonth, 0, timezone);
  const end = to
    ? Math.min(toInstant(to, timezone), latest)
    : from
      ? monthFrom(from, 1)
      : startOfMonth(thisMonth, 1, timezone);
  if (end <= start) throw invalidField('end', 'must be after start');
  if (end - start > maxSpanMs) {
    throw invalidField('end', 'must be at most 100 years after start');
  }
  return { start, end, timezone };
};

/**
 * What takes place in a window of the actor's calendar: own events and those the actor is invited to, what recurs
 * expanded, in the order of time. At most 500 occurrences and 20 000 steps of work, whatever the window and the rules; the
 * cost follows what is in the window, not what was before it.
 * @throws AppError VALIDATION_ERROR about `start` or `end`
 */
export const readWindow = async (actor: Actor, asked: AskedWindow): Promise<WindowOfEvents> => {
  const window = toWindow(actor, asked);
  return { ...window, ...(await readOccurrences(actor.user.id, window)) };
};

/**
 * What takes place on a date in a time zone, for one who sees it in the own calendar: the first 500 occurrences, in the
 * order of time, all-day events first.
 */
export const listEventsOfDay = async (
  userId: number,
  timezone: string,
  date: string = toDateAt(Date.now(), timezone),
): Promise<OccurrenceSet['occurrences']> => {
  const start = localToInstant(localTimeFromDate(date), timezone);
  const end = localToInstant(localTimeFromDate(date) + dayMs, timezone);
  return (await readOccurrences(userId, { start, end, timezone })).occurrences;
};
