const instant = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });

/** Formats a time. */
export const formatTime = (time: string | number): string => instant.format(new Date(time));

/** Formats a day without its year. */
export const formatDay = (time: string): string => day.format(new Date(time));

/** Returns whether a text is a time. */
export const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text));
