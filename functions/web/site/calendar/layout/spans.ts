import { addDays } from '../time/days.ts';
import { toLocal } from '../time/zone.ts';

/** When an event takes place: instants, or dates with an exclusive end if `allDay`. */
export interface Times {
  readonly start: string;
  readonly end: string;
  readonly allDay: boolean;
}

const dayMs = 86_400_000;
export const dayMinutes = 1_440;

/** The days of an event in a time zone. */
export interface Span {
  readonly first: string;
  readonly last: string;
  /** Whether it is shown as a bar above the hours: it takes whole days, or a day at least. */
  readonly isBar: boolean;
}

/** Returns the days of an event in a time zone. An end at midnight belongs to the day before. */
export const toSpan = ({ start, end, allDay }: Times, timeZone: string): Span => {
  if (allDay) {
    const last = addDays(end, -1);
    return { first: start, last: last < start ? start : last, isBar: true };
  }
  const [from, to] = [Date.parse(start), Date.parse(end)];
  return {
    first: toLocal(from, timeZone).day,
    last: toLocal(Math.max(from, to - 1), timeZone).day,
    isBar: to - from >= dayMs,
  };
};

/** The part of an event on one day. */
export interface Segment<Event> {
  readonly event: Event;
  /** Minutes since midnight, as clocks show them. */
  readonly from: number;
  readonly to: number;
}

/** The least minutes that an event takes on the page, so that its title can be read. */
const minMinutes = 30;

/** Returns the part of an event with hours on a day; `undefined` if it is of another day, or a bar. */
export const toSegment = <Event extends Times>(
  event: Event,
  day: string,
  timeZone: string,
): Segment<Event> | undefined => {
  const { first, last, isBar } = toSpan(event, timeZone);
  if (isBar || day < first || day > last) return undefined;
  const from = day === first ? toLocal(Date.parse(event.start), timeZone).minute : 0;
  const end = toLocal(Date.parse(event.end), timeZone);
  const to = end.day === day ? end.minute : dayMinutes;
  // Where clocks go back, an event can end before it begins.
  const least = Math.min(from, dayMinutes - minMinutes);
  return { event, from: least, to: Math.max(to, least + minMinutes) };
};
