import * as Instant from 'temporal-polyfill/fns/Instant';
import * as PlainDateTime from 'temporal-polyfill/fns/PlainDateTime';
import * as ZonedDateTime from 'temporal-polyfill/fns/ZonedDateTime';

/** A local time (RFC 5545 §3.3.5), represented as if it were UTC, in ms since 1970. */
export type LocalTime = number;

export const hourMs = 3_600_000;
export const dayMs = 86_400_000;

/** Returns the local time in an IANA time zone at an instant (ms since 1970). */
export const toLocalTime = (instant: number, zone: string): LocalTime =>
  instant +
  ZonedDateTime.offsetNanoseconds(
    Instant.toZonedDateTimeISO(Instant.fromEpochMilliseconds(instant), zone),
  ) /
    1_000_000;

/**
 * Returns the instant (ms since 1970) of a local time in an IANA time zone: the first one if the time is ambiguous. A
 * skipped time is shifted by the length of the gap (RFC 5545 §3.3.5).
 */
export const localToInstant = (local: LocalTime, zone: string): number => {
  const at = new Date(local);
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

/** Returns the date of a local time, such as `2026-11-21`. */
export const toDate = (local: LocalTime): string => new Date(local).toISOString().slice(0, 10);

/** Returns the local time at which a date starts. */
export const localTimeFromDate = (date: string): LocalTime => Date.parse(`${date}T00:00:00Z`);

/** Returns the date in a time zone at an instant (ms since 1970). */
export const toDateAt = (instant: number, zone: string): string =>
  toDate(toLocalTime(instant, zone));

/** Returns the instant (ms since 1970) at which a date starts in a time zone. */
export const startOfDate = (date: string, zone: string): number =>
  localToInstant(localTimeFromDate(date), zone);

/** A parsed ISO 8601 time: a date, a local time or an instant. */
export type GivenTime =
  | { readonly kind: 'date'; readonly local: LocalTime }
  | { readonly kind: 'local'; readonly local: LocalTime }
  | { readonly kind: 'instant'; readonly instant: number };

const pattern =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

const parseOffset = (text: string): number | undefined => {
  if (/^z$/i.test(text)) return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))];
  if (hours > 23 || minutes > 59) return undefined;
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
};

/**
 * Parses `2026-11-21`, `2026-11-21T09:30` (a local time), `2026-11-21T09:30:00+01:00` or `…Z`, to the second. Returns
 * `undefined` for anything else, including dates that don't exist.
 */
export const parseTime = (text: string): GivenTime | undefined => {
  const [, date, time, seconds = '00', offset] = pattern.exec(text.trim()) ?? [];
  if (date === undefined) return undefined;
  const written = `${date}T${time ?? '00:00'}:${seconds}`;
  const local = Date.parse(`${written}Z`);
  // Date.parse turns 31 June into 1 July.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(written)) return undefined;
  if (time === undefined) return { kind: 'date', local };
  if (offset === undefined) return { kind: 'local', local };
  const ahead = parseOffset(offset);
  return ahead === undefined ? undefined : { kind: 'instant', instant: local - ahead };
};

/** Returns the instant (ms since 1970) of a given time. One without an offset is in `zone`. */
export const toInstant = (given: GivenTime, zone: string): number =>
  given.kind === 'instant' ? given.instant : localToInstant(given.local, zone);

/** Returns the local time in a zone of a given time. */
export const toGivenLocalTime = (given: GivenTime, zone: string): LocalTime =>
  given.kind === 'instant' ? toLocalTime(given.instant, zone) : given.local;
