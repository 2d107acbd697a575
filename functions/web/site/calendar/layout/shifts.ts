import { addDays } from '../time/days.ts';
import { toInstant, toLocal } from '../time/zone.ts';
import { dayMinutes, type Times } from './spans.ts';

/** New times of an event. */
type Shifted = Pick<Times, 'start' | 'end'>;

const iso = (at: number): string => new Date(at).toISOString();

/** Returns the times that many days later: at the same time of day, and as long. */
export const shiftDays = (times: Times, days: number, timeZone: string): Shifted => {
  const { start, end, allDay } = times;
  if (allDay) return { start: addDays(start, days), end: addDays(end, days) };
  const { day, minute } = toLocal(Date.parse(start), timeZone);
  return moveTo(times, { day: addDays(day, days), minute }, timeZone);
};

/** Returns the times from a time of day on, as long as before. */
export const moveTo = (
  { start, end }: Times,
  to: { readonly day: string; readonly minute: number },
  timeZone: string,
): Shifted => {
  const from = Date.parse(start);
  // Seconds are kept.
  const moved = toInstant(to, timeZone) + (from % 60_000);
  return { start: iso(moved), end: iso(moved + Date.parse(end) - from) };
};

/** Returns the times of hours of a day; 24:00 is the start of the next. */
export const toTimes = (day: string, from: number, to: number, timeZone: string): Shifted => {
  const isNext = to >= dayMinutes;
  const end = { day: isNext ? addDays(day, 1) : day, minute: isNext ? to - dayMinutes : to };
  const start = toInstant({ day, minute: from }, timeZone);
  // Where clocks skip or repeat an hour, an end may fall before the start.
  return { start: iso(start), end: iso(Math.max(toInstant(end, timeZone), start + 60_000)) };
};
