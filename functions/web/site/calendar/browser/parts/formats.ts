import { calendarTexts as texts } from '../../texts.ts';
import { countDays } from '../../time/days.ts';
import { days, language, type Occurrence, view, zone } from './state.ts';

const ofDay = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return (day: string): string => format.format(Date.parse(day));
};

/** Formats a day: `Monday, 23 November`. */
export const formatDate = ofDay({ weekday: 'long', day: 'numeric', month: 'long' });

/** Formats a weekday: `Mon`. */
export const formatWeekday = ofDay({ weekday: 'short' });

const formatMonth = ofDay({ month: 'long' });
const formatDay = ofDay({ day: 'numeric', month: 'long' });
const formatShortDate = ofDay({ day: 'numeric', month: 'short' });

/** Formats a month with its year, such as `November 2026`, in parts: the month, and the rest. */
export const formatPeriod = (date: string): { readonly main: string; readonly rest: string } => {
  const { mode } = view.value;
  const year = date.slice(0, 4);
  if (mode === 'month') return { main: formatMonth(date), rest: year };
  if (mode === 'day') return { main: formatDay(date), rest: year };
  const [first = date, last = date] = [days.value[0], days.value.at(-1)];
  const isShort = countDays(first, last) === 0;
  const main = isShort
    ? formatShortDate(first)
    : `${formatShortDate(first)} – ${formatShortDate(last)}`;
  return { main, rest: last.slice(0, 4) };
};

const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' });

/** Formats minutes since midnight as clocks show them: `09:30`. */
export const formatMinutes = (minute: number): string => clock.format(minute * 60_000);

const hourFormat = clock.resolvedOptions().hour12
  ? new Intl.DateTimeFormat(language, { hour: 'numeric', timeZone: 'UTC' })
  : clock;

/** Formats a whole hour in minutes since midnight: `09:00`, or `9 AM`, which has room beside a narrow day. */
export const formatHour = (minute: number): string => hourFormat.format(minute * 60_000);

const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: zone });

/** Formats the time of day of an instant. */
export const formatTime = (iso: string): string => timeFormat.format(Date.parse(iso));

/** Formats the hours of an event: `09:00 – 10:00`. */
export const formatHours = ({ start, end, allDay }: Occurrence): string => {
  if (allDay) return texts.allDay;
  return start === end ? formatTime(start) : `${formatTime(start)} – ${formatTime(end)}`;
};

const getCity = (timeZone: string): string =>
  (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

/** The name of the calendar’s time zone. */
export const zoneName = texts.timeIn(getCity(zone));
