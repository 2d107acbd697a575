import { invalidField } from '../../../../shared/runtime/errors.ts';
import { readTime } from '../record/schedule.ts';
import {
  dayMs,
  type GivenTime,
  localTimeFromDate,
  localToInstant,
  toDateAt,
  toGivenLocalTime,
  toInstant,
  toLocalTime,
} from '../recurrence/time.ts';
import { findEvents, type OccurrenceSet, readOccurrences } from './occurrence-list.ts';

/** A requested time window. Absent bounds have defaults. */
export interface WindowRequest {
  readonly start?: string | undefined;
  readonly end?: string | undefined;
}

/** The occurrences in a window. `start` and `end` are in ms since 1970. */
export interface EventWindowResult extends OccurrenceSet {
  readonly start: number;
  readonly end: number;
  readonly timezone: string;
}

const maxSpanMs = 36_525 * dayMs;
/** A year has four digits. */
const latestEnd = Date.UTC(10_000, 0) - 1;

/** Returns the start of the month that is `offset` months after a local time. */
const startOfMonth = (local: number, offset: number, zone: string): number => {
  const at = new Date(local);
  return localToInstant(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset), zone);
};

/** @throws AppError VALIDATION_ERROR for `field` */
const assertYear = (field: string, given: GivenTime, zone: string): void => {
  const year = new Date(toInstant(given, zone)).getUTCFullYear();
  if (year < 1 || year > 9_999) throw invalidField(field, 'must be in the years 1 to 9999');
};

/**
 * Resolves a time window: the current month by default, or one month if only `start` or `end` is sent. A date as `end` is
 * inclusive.
 * @throws AppError VALIDATION_ERROR for `start` or `end`
 */
export const toWindow = (timezone: string, request: WindowRequest) => {
  const read = (field: 'start' | 'end') => {
    const text = request[field];
    return text === undefined ? undefined : readTime(field, text);
  };
  const [from, until] = [read('start'), read('end')];
  if (until) assertYear('end', until, timezone);
  // A date as end includes that day.
  const to = until?.kind === 'date' ? { ...until, local: until.local + dayMs } : until;
  if (from) assertYear('start', from, timezone);
  const monthFrom = (given: GivenTime, months: number) => {
    const at = new Date(toGivenLocalTime(given, timezone));
    at.setUTCMonth(at.getUTCMonth() + months);
    return Math.min(localToInstant(at.getTime(), timezone), latestEnd);
  };
  const thisMonth = toLocalTime(Date.now(), timezone);
  const start = from
    ? toInstant(from, timezone)
    : to
      ? monthFrom(to, -1)
      : startOfMonth(thisMonth, 0, timezone);
  const end = to
    ? Math.min(toInstant(to, timezone), latestEnd)
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
 * Finds the events in a window of a user's calendar. The cost depends on what is in the window, not on earlier events.
 * @throws AppError VALIDATION_ERROR for `start` or `end`
 */
export const findInWindow = async (userId: number, timezone: string, request: WindowRequest) =>
  findEvents(userId, toWindow(timezone, request));

/**
 * Returns the occurrences in a window of a user's calendar in chronological order, with recurring events expanded. Limited
 * to 500 occurrences and 20 000 work steps.
 * @throws AppError VALIDATION_ERROR for `start` or `end`
 */
export const readWindow = async (
  userId: number,
  timezone: string,
  request: WindowRequest,
  found?: ReturnType<typeof findInWindow>,
): Promise<EventWindowResult> => {
  const window = toWindow(timezone, request);
  return { ...window, ...(await readOccurrences(userId, window, found)) };
};

/**
 * Lists the occurrences in a user's calendar on a date in a time zone in chronological order, all-day events first, up to
 * 500.
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
