const dayPattern = String.raw`(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<d>\d\d?)\.(?<m>\d\d?)\.(?<y>\d{4}))`;
const timePattern = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?:\.(?<fraction>\d{1,9}))?)?`;
const zonePattern = String.raw`(?<zone>Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?`;
const pattern = new RegExp(`^${dayPattern}(?:[T ]${timePattern}${zonePattern})?$`);

const pad = (text: string): string => text.padStart(2, '0');

/**
 * Parses a day or a time: `2026-11-21`, `21.11.2026`, `2026-11-21 14:30`, `2026-11-21T14:30:00Z`. Returns a day as it is,
 * which the API takes as midnight UTC, and a time in UTC; one without a time zone is of the browser’s.
 */
export const parseTime = (text: string): string | undefined => {
  const { groups } = pattern.exec(text.trim()) ?? {};
  if (!groups) return undefined;
  const { year = groups['y'] ?? '', month = groups['m'] ?? '', day = groups['d'] ?? '' } = groups;
  const { hour, minute, second = '00', fraction = '0', zone = '' } = groups;
  const date = `${year}-${pad(month)}-${pad(day)}`;
  const midnight = new Date(`${date}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
  const isInRange = Number(year) >= 1970 && Number(year) <= 9998;
  if (!isDay || !isInRange) return undefined;
  if (hour === undefined) return date;
  const at = new Date(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}${zone}`);
  return at.getTime() >= 0 ? at.toISOString() : undefined;
};
