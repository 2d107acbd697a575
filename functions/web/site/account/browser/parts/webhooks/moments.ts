import { dayTexts } from '../../../../../browser/data/texts.ts';
import { dateLanguage } from '../../../../../browser/shell/preferences.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { formatRecentDay } from '../times.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const isSameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

const nameDay = (date: Date, now: Date): string => {
  if (isSameDay(date, now)) return dayTexts.today;
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  return isSameDay(date, yesterday) ? dayTexts.yesterday : formatRecentDay(date.toISOString());
};

/** Formats the hour and the minute of a time: `14:51`. */
export const formatClock = (time: string): string =>
  new Date(time).toLocaleTimeString(dateLanguage.read(), { hour: '2-digit', minute: '2-digit' });

/** Formats when something happened: `Today, 14:51`; `20 Nov, 9:00`. */
export const formatMoment = (time: string): string =>
  `${nameDay(new Date(time), new Date())}, ${formatClock(time)}`;

/** Formats how long it is until something happens: `in 12 minutes`. */
export const formatUntil = (time: string): string => {
  const left = Date.parse(time) - Date.now();
  if (left < minuteMs / 2) return texts.anyMoment;
  // In the language of the sentence that it ends.
  const format = new Intl.RelativeTimeFormat('en');
  return left < hourMs * 1.5
    ? format.format(Math.round(left / minuteMs), 'minute')
    : format.format(Math.round(left / hourMs), 'hour');
};
