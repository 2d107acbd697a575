/** When something on the dashboard is: instants or, of what is all day, dates with the first day after it as the end. */
interface Times {
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
}

const isDate = (text: string): boolean => text.length === 10;

/** The date in a time zone, such as `2026-11-21`. */
export const dateIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(at);

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** The day before a date, in words. */
const dayBefore = (date: string): string => day.format(Date.parse(date) - 86_400_000);

/**
 * When a task is due, in words, and whether that is over. A date is that of an all-day task, which may be done until the
 * day before is over.
 */
export const formatDue = (
  dueDate: string,
  now: Date,
  timeZone: string,
): { readonly text: string; readonly isOver: boolean } => {
  if (isDate(dueDate))
    return { text: dayBefore(dueDate), isOver: dateIn(now, timeZone) >= dueDate };
  const due = new Date(dueDate);
  const format = new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  });
  return { text: format.format(due), isOver: due < now };
};

/**
 * The hours in which something takes place on a day: `from` is absent where it began before that day, `to` where it ends
 * after it, both where it takes all of it.
 */
export const formatHours = (
  date: string,
  { start, end, allDay }: Times,
  timeZone: string,
): { readonly from?: string; readonly to?: string } => {
  if (allDay) return {};
  const time = new Intl.DateTimeFormat('en', { timeStyle: 'short', timeZone });
  const [starts, ends] = [new Date(start), new Date(end)];
  // What ends at midnight ends on the day before.
  const lastDate = dateIn(new Date(Math.max(ends.getTime() - 1, starts.getTime())), timeZone);
  return {
    ...(dateIn(starts, timeZone) === date && { from: time.format(starts) }),
    ...(lastDate === date && { to: time.format(ends) }),
  };
};
