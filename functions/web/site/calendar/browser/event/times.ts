import { addDays } from '../../time/days.ts';
import { isDate, toLocal, writeDate } from '../../time/local.ts';
import { language, now, zone } from '../parts/state.ts';
import { eventTexts as texts } from './texts.ts';

interface Times {
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
}

const dayOptions = { weekday: 'long', day: 'numeric', month: 'long' } as const;
const timeOptions = { hour: 'numeric', minute: '2-digit' } as const;

/** Without the year, if it is this one. */
const withYear = (time: string) => {
  const isThisYear = time.slice(0, 4) === new Date(now.value).toISOString().slice(0, 4);
  return isThisYear ? {} : ({ year: 'numeric' } as const);
};

const format = (options: Intl.DateTimeFormatOptions, start: string, end: string): string =>
  new Intl.DateTimeFormat(language, options).formatRange(new Date(start), new Date(end));

const relativeUnits = [
  ['minute', 60_000, 60],
  ['hour', 3_600_000, 24],
] as const;

/** Says in how many minutes or hours an event starts; `undefined` if it has begun or is further away than a day. */
const formatWait = (start: string): string | undefined => {
  const wait = Date.parse(start) - now.value;
  const unit = relativeUnits.find(([, ms, count]) => wait > 0 && Math.round(wait / ms) < count);
  if (!unit) return undefined;
  const [name, ms] = unit;
  return new Intl.RelativeTimeFormat(language).format(Math.round(wait / ms), name);
};

/** The name of a time zone: `New York` of `America/New_York`. */
export const nameZone = (name: string): string =>
  (name.split('/').at(-1) ?? name).replaceAll('_', ' ');

/** What is shown of when an event is. */
export interface ShownTimes {
  readonly day: string;
  readonly time: string;
  /** The time where the event takes place, if clocks show another there. */
  readonly elsewhere: string | undefined;
}

/** Says when an event is, in the user’s time zone. */
export const describeTimes = ({ start, end, timezone }: Times): ShownTimes => {
  if (isDate(start)) {
    const last = end > start ? addDays(end, -1) : start;
    const options = { ...dayOptions, ...withYear(last), timeZone: 'UTC' };
    return { day: format(options, start, last), time: texts.allDay, elsewhere: undefined };
  }
  const describe = (timeZone: string) => {
    const [from, to] = [toLocal(start, timeZone), toLocal(end, timeZone)];
    return { from, to, isOneDay: writeDate(from) === writeDate(to) };
  };
  const mine = describe(zone);
  const theirs = describe(timezone);
  const dayFormat = { ...dayOptions, ...withYear(start), timeZone: zone };
  const shortDay = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const times = (isShort: boolean, timeZone: string) =>
    format({ ...(isShort ? {} : shortDay), ...timeOptions, timeZone }, start, end);
  const wait = formatWait(start);
  const isElsewhere = mine.from !== theirs.from || mine.to !== theirs.to;
  const isSameDate = writeDate(mine.from) === writeDate(theirs.from);
  return {
    day: format(dayFormat, start, mine.isOneDay ? start : end),
    time: [
      isElsewhere
        ? texts.inMyZone(times(mine.isOneDay, zone), nameZone(zone))
        : times(mine.isOneDay, zone),
      wait,
    ]
      .filter(Boolean)
      .join(' · '),
    elsewhere: isElsewhere
      ? texts.inZone(times(theirs.isOneDay && isSameDate, timezone), nameZone(timezone))
      : undefined,
  };
};

const durations = [
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/** Says when a reminder comes: `15 minutes before`. */
export const describeReminder = (minutes: number): string => {
  if (minutes === 0) return texts.atStart;
  const [unit, size] = durations.find(([, length]) => minutes % length === 0) ?? ['minute', 1];
  const duration = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return texts.before(duration.format(minutes / size));
};
