/** A day of the calendar, as `2026-11-21`. */
export type Day = string;

/** The day it is in a time zone at an instant (ms since 1970). */
export const toDay = (instant: number, timeZone: string): Day =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);

/** The day that many days before. */
export const subtractDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);

/** The first instant (ms since 1970, to the second) of the next day in a time zone, also where clocks change. */
export const nextDayStart = (instant: number, timeZone: string): number => {
  const today = toDay(instant, timeZone);
  let before = Math.floor(instant / 1_000);
  let after = before + 2 * 86_400;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toDay(middle * 1_000, timeZone) > today) after = middle;
    else before = middle;
  }
  return after * 1_000;
};
