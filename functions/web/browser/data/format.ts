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

/** Formats a time with its date. */
export const formatTime = dates({ dateStyle: 'medium', timeStyle: 'short' });

const numbers = onceMade(() => new Intl.NumberFormat(language));

export const formatNumber = (value: number): string => numbers().format(value);

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Formats a size: `1.4 MB`; 1,024 bytes are a kilobyte. */
export const formatBytes = (bytes: number): string => {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1);
  const value = bytes / 1_024 ** power;
  const options = {
    style: 'unit',
    unit: byteUnits[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && power > 0 ? 1 : 0,
  } as const;
  return new Intl.NumberFormat(language, options).format(value);
};

const lists = onceMade(() => new Intl.ListFormat(language));

/** Joins names: `Ana, Jonas and Sam`. */
export const formatList = (names: readonly string[]): string => lists().format(names);
