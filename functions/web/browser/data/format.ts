import { dateLanguage } from '../shell/preferences.ts';

const language = dateLanguage.read();

const onceMade = <Made>(make: () => Made): (() => Made) => {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const dates = (options: Intl.DateTimeFormatOptions): ((iso: string) => string) => {
  const format = onceMade(() => new Intl.DateTimeFormat(language, options));
  return (iso) => format().format(new Date(iso));
};

/** Formats a date: `20 Nov 2026`. */
export const formatDay = dates({ day: 'numeric', month: 'short', year: 'numeric' });

/** Formats a date without its year: `29 November`. */
export const formatDayOfYear = dates({ day: 'numeric', month: 'long' });

/** Formats a day without a time, such as `2026-11-01`: the same day in every time zone. */
export const formatDate = dates({ dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a time with its date. */
export const formatTime = dates({ dateStyle: 'medium', timeStyle: 'short' });

const numbers = onceMade(() => new Intl.NumberFormat(language));

export const formatNumber = (value: number): string => numbers().format(value);

// In the language of the pages, whatever that of dates is.
const lists = onceMade(() => new Intl.ListFormat('en-GB'));

/** Joins names: `Ana, Jonas and Sam`. */
export const formatList = (names: readonly string[]): string => lists().format(names);

/** Returns the first part of a name. */
export const firstName = (name: string): string => name.split(/\s/)[0] ?? name;
