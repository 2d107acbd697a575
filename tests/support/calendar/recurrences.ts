import { parseRecurrence, toSchedule } from '../../../functions/api/calendar/record/schedule.ts';
import {
  iterate,
  type Recurrence,
  type WorkBudget,
} from '../../../functions/api/calendar/recurrence/recurrence.ts';

/** Returns the stored schedule of an event. */
export const scheduleOf = (
  rrule: string,
  start: string,
  timezone = 'UTC',
  exdates: readonly string[] = [],
) => toSchedule({ start, end: undefined, allDay: undefined, timezone, rrule, exdates });

/** Parses the recurrence of such an event. */
export const recurrenceOf = (...args: Parameters<typeof scheduleOf>): Recurrence => {
  const recurrence = parseRecurrence(scheduleOf(...args));
  if (!recurrence) throw new Error('It does not recur');
  return recurrence;
};

/** Returns the first starts in a range of ticks and the number of steps. */
export const startsIn = (recurrence: Recurrence, from: number, to: number, most = 500) => {
  const steps: WorkBudget = { left: 1_000_000 };
  const iterator = iterate(recurrence, from, to);
  while (!iterator.isDone() && iterator.found.length < most) iterator.advance(steps);
  return { starts: iterator.found.slice(0, most), steps: 1_000_000 - steps.left };
};

/** Formats ticks as ISO 8601, to the minute. */
export const iso = (ticks: readonly number[]): string[] =>
  ticks.map((tick) => new Date(tick).toISOString().replace(':00.000Z', 'Z'));

/** Returns the range from the start of one year to the start of another. */
export const years = (from: number, to: number) => [Date.UTC(from), Date.UTC(to)] as const;
