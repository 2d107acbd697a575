import { formatDate, formatDay, formatTime } from '../../../../browser/data/format.ts';

/** When a sale was made: a time, or only a day, which is no time in any time zone. */
interface Sold {
  readonly soldAt: string;
  readonly day: string | null;
}

/** Formats when a sale was made: a day, or a time with its date. */
export const formatSold = ({ soldAt, day }: Sold): string =>
  day === null ? formatTime(soldAt) : formatDate(day);

/** Formats the day on which a sale was made. */
export const formatSoldDay = ({ soldAt, day }: Sold): string =>
  day === null ? formatDay(soldAt) : formatDate(day);
