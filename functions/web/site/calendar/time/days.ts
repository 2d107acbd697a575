const dayMs = 86_400_000;

/** Returns the day that many days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);

/** Returns the number of days from one to another. */
export const countDays = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayMs);

/** Returns the days from one on. */
export const listDays = (from: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => addDays(from, at));

/** Returns the same day of another month, or its last day if it is shorter. */
export const addMonths = (day: string, months: number): string => {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last)))
    .toISOString()
    .slice(0, 10);
};

/** Returns the weekday of a day, from 1 for Monday to 7 for Sunday. */
const weekdayOf = (day: string): number => new Date(day).getUTCDay() || 7;

/** Returns the first day of the week of a day. */
export const startOfWeek = (day: string, firstWeekday: number): string =>
  addDays(day, -((weekdayOf(day) - firstWeekday + 7) % 7));

/** Returns the days that a month’s page shows: its whole weeks. */
export const listMonth = (day: string, firstWeekday: number): readonly string[] => {
  const first = `${day.slice(0, 7)}-01`;
  const from = startOfWeek(first, firstWeekday);
  const days = countDays(from, addMonths(first, 1));
  return listDays(from, Math.ceil(days / 7) * 7);
};

type LocaleWithWeek = Intl.Locale & {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
};

/** Returns the first weekday of a language, from 1 for Monday to 7 for Sunday; Monday where browsers don’t know it. */
export const getFirstWeekday = (language: string): number => {
  const locale = new Intl.Locale(language) as LocaleWithWeek;
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
};
