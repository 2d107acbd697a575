const shortDay = { day: 'numeric', month: 'short' } as const;
const ofEnd = { ...shortDay, hour: '2-digit', minute: '2-digit' } as const;

const styles = {
  day: { dateStyle: 'long' },
  shortDay,
  shortDayInOtherYear: { ...shortDay, year: 'numeric' },
  minute: { dateStyle: 'long', timeStyle: 'short' },
  end: ofEnd,
  endInOtherYear: { ...ofEnd, year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** How a time is written on the pages of a share. */
export type TimeStyle = keyof typeof styles;

/** Creates the format of a style, in the time zone of the device unless one is given. */
export const createTimeFormat = (style: TimeStyle, timeZone?: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', { ...styles[style], ...(timeZone && { timeZone }) });
