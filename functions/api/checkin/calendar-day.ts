/** A calendar day such as `2026-11-21`. */
export type Day = string;

/** Returns the day in a time zone at an instant (ms since 1970). */
export const toDay = (instant: number, timeZone: string): Day =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(instant);

/** Returns the day `count` days earlier. */
export const subtractDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) - count * 86_400_000).toISOString().slice(0, 10);

/** Returns the first instant of the next day in a time zone (ms since 1970, to the second), even if clocks change. */
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
