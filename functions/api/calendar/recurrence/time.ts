import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** What a clock on the wall shows, as if it were UTC, in ms since 1970. */
export type LocalTime = number;

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** What clocks show in an IANA time zone at an instant (ms since 1970). */
export const toLocalTime = (instant: number, zone: string): LocalTime =>
  instant +
  ZonedDateTime.offsetNanoseconds(
    Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(instant), zone),
  ) /
    1_000_000;

/**
 * The instant (ms since 1970) at which clocks in an IANA time zone show a time: the first one where they show it twice,
 * and where they skip it, as long after the skip as it is past the skip's beginning (RFC 5545 §3.3.5).
 */
export const localToInstant = (wall: LocalTime, zone: string): number => {
  const at = new Date(wall);
  const plain = PlainDateTime.create(
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  );
  return PlainDateTime.toZonedDateTime(plain, zone).epochMilliseconds;
};

/** A date such as `2026-11-21` of a wall time. */
export const toDate = (wall: LocalTime): string => new Date(wall).toISOString().slice(0, 10);

/** The wall time at which a date begins. */
export const localTimeFromDate = (date: string): LocalTime => Date.parse(`${date}T00:00:00Z`);

/** The date it is in a time zone at an instant (ms since 1970). */
export const toDateAt = (instant: number, zone: string): string =>
  toDate(toLocalTime(instant, zone));

/** The instant (ms since 1970) at which a date begins in a time zone. */
export const startOfDate = (date: string, zone: string): number =>
  localToInstant(localTimeFromDate(date), zone);

/** The date so many days later. */
export const addDays = (date: string, days: number): string =>
  toDate(localTimeFromDate(date) + days * dayMs);

/** An ISO 8601 time, as it was sent: a date, a time on the wall, or an instant. */
export type GivenTime =
  | { readonly kind: 'date'; readonly wall: LocalTime }
  | { readonly kind: 'wall'; readonly wall: LocalTime }
  | { readonly kind: 'instant'; readonly instant: number };

const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const offsetOf = (text: string): number | undefined => {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
};

/**
 * Reads `2026-11-21`, `2026-11-21T09:30` (a time on the wall), `2026-11-21T09:30:00+01:00` or `…Z`, to the second.
 * `undefined` for what is none of them or is no day of the calendar.
 */
export const parseTime = (text: string): GivenTime | undefined => {
  const [, date, time, seconds = '00', offset] = pattern.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const written = `${date}T${time ?? '00:00'}:${seconds}`;
  const wall = Date.parse(`${written}Z`);
  // What is past the end of a month would be taken as a day of the next.
  if (Number.isNaN(wall) || !new Date(wall).toISOString().startsWith(written)) return undefined;
  if (time === undefined) return { kind: 'date', wall };
  if (offset === undefined) return { kind: 'wall', wall };
  const ahead = offsetOf(offset);
  return ahead === undefined ? undefined : { kind: 'instant', instant: wall - ahead };
};

/** The instant (ms since 1970) of a time that was sent; what names no zone is of the given one. */
export const toInstant = (given: GivenTime, zone: string): number =>
  given.kind === 'instant' ? given.instant : localToInstant(given.wall, zone);

/** What clocks show in a zone at a time that was sent. */
export const toWallTime = (given: GivenTime, zone: string): LocalTime =>
  given.kind === 'instant' ? toLocalTime(given.instant, zone) : given.wall;
