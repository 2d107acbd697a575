import { toLocal as toLocalTime } from './zone.ts';

export const dayMs = 86_400_000;
const minuteMs = 60_000;

/** Returns whether a time is a date such as `2026-11-21`. */
export const isDate = (time: string): boolean => time.length === 10;

/**
 * Returns the local time of an instant in a time zone, as if it were UTC, in ms since 1970. A date is its midnight in any
 * zone.
 */
export const toLocal = (time: string, zone: string): number => {
  if (isDate(time)) return Date.parse(time);
  const { day, minute } = toLocalTime(Date.parse(time), zone);
  return Date.parse(day) + minute * minuteMs;
};

/** Writes a local time: `2026-11-21T09:30`. */
export const writeLocal = (local: number): string => new Date(local).toISOString().slice(0, 16);

/** Writes the date of a local time: `2026-11-21`. */
export const writeDate = (local: number): string => writeLocal(local).slice(0, 10);
