const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

// Created on first use, because loading locale data takes a tenth of a cold start.
let digits: Intl.NumberFormat | undefined;

/** Formats a number of bytes: `1 byte`, `4 MB`, `1.5 GB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes === 1) return '1 byte';
  let [value, at] = [bytes, 0];
  while (Math.round(value * 10) >= 10_240 && at < units.length - 1) {
    [value, at] = [value / 1024, at + 1];
  }
  digits ??= new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
  return `${digits.format(value)} ${units[at]}`;
};
