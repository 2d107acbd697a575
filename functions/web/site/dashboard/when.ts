/** Start and end of an item: instants, or dates with an exclusive end if `allDay`. */
interface Times {
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
}

const isDate = (text: string): boolean => text.length === 10;

/** Returns the date in a time zone, such as `2026-11-21`. */
export const dateIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);

/** Returns the day before a date. */
const dayBefore = (date: string): string =>
  new Date(Date.parse(date) - 86_400_000).toISOString().slice(0, 10);

/**
 * Formats when a task is due, and returns the day and whether it is overdue. An all-day task has an exclusive date: it is due by
 * the end of the previous day. `language` is that of the text, by default the browser's.
 */
export const formatDue = (
  dueDate: string,
  now: Date,
  timeZone: string,
  language?: string,
): { readonly text: string; readonly day: string; readonly isOver: boolean } => {
  if (isDate(dueDate)) {
    const last = dayBefore(dueDate);
    const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
    return { text: day.format(Date.parse(last)), day: last, isOver: dateIn(now, timeZone) > last };
  }
  const due = new Date(dueDate);
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  return { text: format.format(due), day: dateIn(due, timeZone), isOver: due < now };
};

/**
 * Formats the hours of an item on a day. `from` is absent if it starts before that day, `to` if it ends after it, and
 * both if it takes the whole day.
 */
export const formatHours = (
  date: string,
  { start, end, allDay }: Times,
  timeZone: string,
  language?: string,
): { readonly from?: string; readonly to?: string } => {
  if (allDay) return {};
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
  const [starts, ends] = [new Date(start), new Date(end)];
  // An end at midnight belongs to the previous day.
  const lastDate = dateIn(new Date(Math.max(ends.getTime() - 1, starts.getTime())), timeZone);
  return {
    ...(dateIn(starts, timeZone) === date && { from: time.format(starts) }),
    ...(lastDate === date && { to: time.format(ends) }),
  };
};
