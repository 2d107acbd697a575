import { tzlib_get_ical_block } from 'timezones-ical-library';

/** A time zone in a feed: its id and definition. */
export interface ZoneLines {
  readonly id: string;
  readonly lines: readonly string[];
}

/** Returns the definition of an IANA time zone (RFC 5545 §3.6.5), without lines if unknown. */
export const formatTimeZone = (zone: string): ZoneLines => {
  // Normalize the case of the name, because the library is case-sensitive.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const [block = ''] = tzlib_get_ical_block(timeZone);
  const lines = block.split('\r\n').filter((line) => line !== '');
  const id = lines.find((line) => line.startsWith('TZID:'))?.slice('TZID:'.length);
  return { id: id ?? timeZone, lines };
};
