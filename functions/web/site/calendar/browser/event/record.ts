import { signal } from '@preact/signals';
import type { Data } from '../../../../browser/client/endpoints.ts';
import { createRecords } from '../../../../browser/data/record-list.ts';
import { isDate, writeDate } from '../../time/local.ts';

/** An event: of a recurring one, the first occurrence, the rule and the exceptions. */
export type CalendarEvent = Data<'GET /api/calendar/events/{id}'>;

/** What differs between the occurrences of an event. */
export type OccurrenceFields = Pick<
  CalendarEvent,
  'start' | 'end' | 'title' | 'location' | 'status' | 'attendees'
>;

/** Whether two starts are of the same occurrence. */
export const isSame = (one: string, other: string): boolean =>
  one === other || (!isDate(one) && Date.parse(one) === Date.parse(other));

/** Returns who is invited, with their answers to an occurrence. */
const answersAt = ({ attendees, answers }: CalendarEvent, start: string) =>
  attendees.map((one) => {
    const own = answers.find(
      ({ userId, occurrenceStart }) => userId === one.id && isSame(occurrenceStart, start),
    );
    return own ? { ...one, status: own.status } : one;
  });

/** Returns one occurrence of a recurring event; `undefined` if it was canceled. */
export const getOccurrence = (
  event: CalendarEvent,
  start: string,
): OccurrenceFields | undefined => {
  if (event.exdates.some((one) => isSame(one, start))) return undefined;
  const { title, location, status } = event;
  const attendees = answersAt(event, start);
  const override = event.overrides.find(({ recurrenceId }) => isSame(recurrenceId, start));
  if (override) {
    return {
      start: override.start,
      end: override.end,
      title: override.title ?? title,
      location: override.location ?? location,
      status: override.status ?? status,
      attendees,
    };
  }
  const end = Date.parse(start) + Date.parse(event.end) - Date.parse(event.start);
  return {
    start,
    end: event.allDay ? writeDate(end) : new Date(end).toISOString(),
    title,
    location,
    status,
    attendees,
  };
};

/** The events that were saved on the page, whose versions an open form goes on from. */
export const records = createRecords<CalendarEvent>(signal(undefined));
