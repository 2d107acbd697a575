import * as z from 'zod';
import { emptyAsUndefined } from './filters.ts';

const dayMs = 86_400_000;

/** Years need four digits, also for the following day, because keys sort them as text. */
const isInRange = (at: string): boolean =>
  Date.parse(at) >= 0 && Date.parse(at) < Date.UTC(9999, 0, 1);

/** Schema of an ISO 8601 day or time. A day starts at midnight UTC. */
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

/** Creates the query parameters `from` and `to` of a list, as ISO 8601 times in UTC (decisions.md#times). */
export const timeBounds = (verb: string) => ({
  from: bound(Date.parse, `${verb} at or after this time, or on or after this day (UTC).`),
  to: bound(
    // The last day of a range is part of it.
    (text) => Date.parse(text) + (text.includes('T') ? 0 : dayMs),
    `${verb} before this time, or on or before this day (UTC).`,
  ),
});
