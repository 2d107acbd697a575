import * as z from 'zod';
import { emptyAsUndefined } from './filters.ts';

const dayMs = 86_400_000;

/** Keys sort by it as text: all years have four digits, also of the day after. */
const isInRange = (at: string): boolean =>
  Date.parse(at) >= 0 && Date.parse(at) < Date.UTC(9999, 0, 1);

/** An ISO 8601 day or time; a day is one of UTC and begins at its midnight. */
export const Timestamp = z
  .union(
    [z.iso.datetime({ offset: true }), z.iso.date()],
    'must be a time such as 2026-11-21T12:00:00Z, or a day such as 2026-11-21',
  )
  .refine(isInRange, { message: 'must be from 1970 to 9998', abort: true });

const bound = (toInstant: (text: string) => number, description: string) =>
  z.preprocess(
    emptyAsUndefined,
    Timestamp.transform((text) => new Date(toInstant(text)).toISOString())
      .optional()
      .meta({ description }),
  );

/** The query parameters of a list that bound the time of what it shows: `from` and `to`, as ISO 8601 times of UTC (decisions.md#times). */
export const timeBounds = (verb: string) => ({
  from: bound(Date.parse, `${verb} at or after this time, or on or after this day (UTC).`),
  to: bound(
    // A day that a span goes to belongs to it.
    (text) => Date.parse(text) + (text.includes('T') ? 0 : dayMs),
    `${verb} before this time, or on or before this day (UTC).`,
  ),
});
