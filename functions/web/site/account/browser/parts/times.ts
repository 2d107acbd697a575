import { formatDay } from '../../../../browser/data/format.ts';
import { dateLanguage } from '../../../../browser/shell/preferences.ts';
import { formatAge } from '../../../../browser/shell/relative-time.ts';
import { accountTexts as texts } from '../../account-texts.ts';

const isThisYear = (time: string): boolean =>
  new Date(time).getFullYear() === new Date().getFullYear();

/** Formats when something was used last: `12 min ago`, `9 Nov`; with the year if it is another one. */
export const formatUsed = (time: string): string => {
  const age = formatAge(time);
  const day = new Date(time).toLocaleDateString(dateLanguage.read(), {
    day: 'numeric',
    month: 'short',
  });
  return age === day && !isThisYear(time) ? formatDay(time) : age;
};

/** Formats the day of a time: `today`, `20 Nov`; with the year if it is another one. */
export const formatRecentDay = (time: string): string => {
  const day = new Date(time);
  if (day.toDateString() === new Date().toDateString()) return texts.today;
  if (!isThisYear(time)) return formatDay(time);
  return day.toLocaleDateString(dateLanguage.read(), { day: 'numeric', month: 'short' });
};
