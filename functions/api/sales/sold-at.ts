import * as z from 'zod';
import { emptyAsUndefined } from '../../../shared/lists/filters.ts';
import { Timestamp } from '../../../shared/lists/time-bounds.ts';

/** When a sale was made. Where only a day is known, `soldAt` is its start in UTC. */
export interface Sold {
  /** ISO 8601, UTC with milliseconds. */
  readonly soldAt: string;
  /** Such as `2026-11-01`. */
  readonly day?: string;
}

/** Allows for clocks that are ahead and for days that have begun in another time zone. */
const leewayMs = 86_400_000;

const isPast = (at: string): boolean => Date.parse(at) <= Date.now() + leewayMs;

const future = 'must not be in the future';

/** Schema of a time or a day in the past. */
export const SoldAt = Timestamp.refine(isPast, future);

/** Schema of a day in the past. */
export const SoldDay = Timestamp.refine((text) => !text.includes('T'), {
  message: 'must be a day such as 2026-11-21',
  abort: true,
})
  .refine(isPast, future)
  .meta({ format: 'date' });

/** What is wrong with a day that is not the one of `soldAt`. */
export const contradiction = 'contradicts soldAt; send one of them';

/** Returns whether a time or day and a day are the same: the start of a day in UTC stands for the day. */
export const agree = (soldAt: string, day: string): boolean =>
  Date.parse(soldAt) === Date.parse(day);

/** Converts a time or a day to when a sale was made. */
export const toSold = (text: string): Sold => {
  const soldAt = new Date(text).toISOString();
  return text.includes('T') ? { soldAt } : { soldAt, day: text };
};

/** A bound of a period of sales: a time, and the first day that does not begin before it. */
export interface SoldBound {
  readonly at: string;
  readonly day: string;
}

const dayMs = 86_400_000;

/** Returns the first day, as that many ms of UTC, that does not begin before a local time. */
const toDay = (localMs: number): string =>
  new Date(Math.ceil(localMs / dayMs) * dayMs).toISOString().slice(0, 10);

/** Returns the bound of a time. A day begins in the time zone that the time is written in. */
const toBound = (text: string): SoldBound => {
  const at = new Date(text).toISOString();
  const local = text.includes('T') ? `${text.replace(/(Z|[+-]\d\d:\d\d)$/, '')}Z` : text;
  return { at, day: toDay(Date.parse(local)) };
};

const afterDay = (day: string): string => new Date(Date.parse(day) + dayMs).toISOString();

const bound = (convert: (text: string) => SoldBound, description: string) =>
  z.preprocess(emptyAsUndefined, Timestamp.transform(convert).optional().meta({ description }));

const ofDays =
  'A sale with a `day` counts as sold at the start of it in the time zone of this time.';

/** The query parameters `from` and `to` of the list of sales. */
export const soldBounds = {
  from: bound(toBound, `Sold at or after this time, or on or after this day. ${ofDays}`),
  to: bound(
    // The last day of a range is part of it.
    (text) => toBound(text.includes('T') ? text : afterDay(text)),
    `Sold before this time, or on or before this day. ${ofDays}`,
  ),
};

/** Returns whether a bound is the same for times and days, as in UTC, so that the list has it at one place. */
export const isCommon = ({ at, day }: SoldBound): boolean => toDay(Date.parse(at)) === day;

/** Returns the places of a bound in the list, where a day is at its start in UTC: of times and of days, in order. */
export const placesOf = (bound: SoldBound): readonly string[] =>
  isCommon(bound) ? [bound.at] : [bound.at, toSold(bound.day).soldAt].toSorted();
