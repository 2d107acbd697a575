import { dateLanguage } from './preferences.ts';

const minuteMs = 60_000;
const units = [
  ['minute', 60 * minuteMs, minuteMs],
  ['hour', 24 * 60 * minuteMs, 60 * minuteMs],
  ['day', 7 * 24 * 60 * minuteMs, 24 * 60 * minuteMs],
] as const;

/** Formats how long ago something happened: `4 min ago`; after a week, the day: `14 Nov`. */
export const formatAge = (time: string, now = Date.now()): string => {
  const language = dateLanguage.read();
  const age = Math.max(minuteMs, now - Date.parse(time));
  const [unit, , ms] = units.find(([, limit]) => age < limit) ?? [];
  if (unit === undefined || ms === undefined) {
    return new Date(time).toLocaleDateString(language, { day: 'numeric', month: 'short' });
  }
  const format = new Intl.RelativeTimeFormat(language, { style: 'short' });
  // American English has “min. ago”.
  return format.format(-Math.floor(age / ms), unit).replace('. ', ' ');
};
