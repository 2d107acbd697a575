const dayMs = 86_400_000;
const minuteMs = 60_000;

/** A time on the clock: a day such as `2026-11-23` and the minutes since midnight, as a clock shows them. */
export interface LocalTime {
  readonly day: string;
  readonly minute: number;
}

const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  formats.set(timeZone, format);
  return format;
};

/** Returns the offset of a time zone from UTC at an instant, in ms. */
const offsetAt = (at: number, timeZone: string): number => {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const { year, month, day, hour, minute, second } = parts;
  const local = Date.UTC(year, month - 1, day, hour, minute, second);
  return local - Math.floor(at / 1_000) * 1_000;
};

/** Returns what clocks in a time zone show at an instant. */
export const toLocal = (at: number, timeZone: string): LocalTime => {
  const local = at + offsetAt(at, timeZone);
  const start = Math.floor(local / dayMs) * dayMs;
  return {
    day: new Date(start).toISOString().slice(0, 10),
    minute: Math.floor((local - start) / minuteMs),
  };
};

/**
 * Returns the instant at which clocks in a time zone show a time. Of two, the first; a time that clocks skip is as much
 * later as they skip (RFC 5545, 3.3.5).
 */
export const toInstant = ({ day, minute }: LocalTime, timeZone: string): number => {
  const local = Date.parse(day) + minute * minuteMs;
  const [before, after] = [offsetAt(local - dayMs, timeZone), offsetAt(local + dayMs, timeZone)];
  const isRight = (offset: number) => offsetAt(local - offset, timeZone) === offset;
  return local - (!isRight(before) && isRight(after) ? after : before);
};
