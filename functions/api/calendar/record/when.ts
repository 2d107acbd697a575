const dateFormat = (timeZone: string, timeStyle: 'short' | undefined) =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle, timeZone });

/** Says when an occurrence starts: a date of an all-day event, or a time (ISO 8601), which is shown in a time zone. */
export const formatWhen = (start: string, zone: string): string =>
  start.includes('T')
    ? `${dateFormat(zone, 'short').format(Date.parse(start))} (${zone})`
    : dateFormat('UTC', undefined).format(Date.parse(start));
