import { tzlib_get_ical_block } from 'timezones-ical-library';

/** A time zone in a feed: the name that its times bear, and its definition. */
export interface ZoneLines {
  readonly id: string;
  readonly lines: readonly string[];
}

/** The definition of an IANA time zone (RFC 5545 §3.6.5); without lines where there is none of it. */
export const formatTimeZone = (zone: string): ZoneLines => {
  // Names count in any case, the library's only as they are written.
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
  const [block = ''] = tzlib_get_ical_block(timeZone);
  const lines = block.split('\r\n').filter((line) => line !== '');
  const id = lines.find((line) => line.startsWith('TZID:'))?.slice('TZID:'.length);
  return { id: id ?? timeZone, lines };
};
