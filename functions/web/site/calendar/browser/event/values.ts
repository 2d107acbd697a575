import { toSentence } from '../../../../browser/data/form.ts';
import { addDays } from '../../time/days.ts';
import { isDate, toLocal, writeDate, writeLocal } from '../../time/local.ts';
import type { CalendarEvent, OccurrenceFields } from './record.ts';
import { eventFormTexts as texts } from './texts.ts';

/** Someone who is invited. */
export interface Guest {
  readonly id: number;
  readonly name: string;
}

/** What the form of an event changes. Dates and times are those of its time zone; the end date is its last day. */
export interface EventValues {
  readonly title: string;
  readonly type: CalendarEvent['type'];
  readonly isAllDay: boolean;
  readonly start: string;
  readonly startTime: string;
  readonly end: string;
  readonly endTime: string;
  readonly timezone: string;
  readonly rrule: string;
  readonly location: string;
  readonly description: string;
  readonly attendees: readonly Guest[];
  readonly reminders: readonly number[];
  readonly color: string;
  readonly priority: CalendarEvent['priority'];
  readonly status: CalendarEvent['status'];
}

/** The values of when an event is, which are sent together. */
const timeNames = ['isAllDay', 'start', 'startTime', 'end', 'endTime', 'timezone'] as const;

type TimeValues = Pick<EventValues, (typeof timeNames)[number]>;

const noTimes = { startTime: '09:00', endTime: '10:00' };

/** Returns what a form shows of when an event is. */
export const toTimeValues = (start: string, end: string, timezone: string): TimeValues => {
  if (isDate(start)) {
    const last = end > start ? addDays(end, -1) : start;
    return { isAllDay: true, start, end: last, timezone, ...noTimes };
  }
  const [from, to] = [toLocal(start, timezone), toLocal(end, timezone)];
  return {
    isAllDay: false,
    start: writeDate(from),
    startTime: writeLocal(from).slice(11),
    end: writeDate(to),
    endTime: writeLocal(to).slice(11),
    timezone,
  };
};

/** Returns what a form shows of an event. */
export const toValues = (event: CalendarEvent & OccurrenceFields): EventValues => ({
  ...toTimeValues(event.start, event.end, event.timezone),
  title: event.title,
  type: event.type,
  rrule: event.rrule ?? '',
  location: event.location ?? '',
  description: event.description ?? '',
  attendees: event.attendees.map(({ id, name }) => ({ id, name })),
  reminders: event.reminders,
  color: event.color ?? '',
  priority: event.priority,
  status: event.status,
});

/** Returns the times of a request. */
const toTimes = ({ isAllDay, start, startTime, end, endTime }: TimeValues) =>
  isAllDay
    ? { start, end: addDays(end, 1) }
    : { start: `${start}T${startTime}`, end: `${end}T${endTime}` };

/** Converts those values that are to be sent to the body of a request. `all` has the times that belong together. */
export const toBody = (values: Partial<EventValues>, all: EventValues) => {
  const { title, type, rrule, location, description, attendees } = values;
  const { reminders, color, priority, status } = values;
  const hasTimes = timeNames.some((name) => values[name] !== undefined);
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(type !== undefined && { type }),
    ...(hasTimes && { ...toTimes(all), allDay: all.isAllDay, timezone: all.timezone }),
    ...(rrule !== undefined && { rrule: rrule.trim() || null }),
    ...(location !== undefined && { location: location.trim() || null }),
    ...(description !== undefined && { description: description.trim() || null }),
    ...(attendees !== undefined && { attendees: attendees.map(({ id }) => id) }),
    ...(reminders !== undefined && { reminders: [...reminders] }),
    ...(color !== undefined && { color: color || null }),
    ...(priority !== undefined && { priority }),
    ...(status !== undefined && { status }),
  };
};

/** Converts values to the body of a request for one occurrence, with its times as `all` has them. */
export const toOccurrenceBody = (values: Partial<EventValues>, all: EventValues) => {
  const { title, location, status } = values;
  const hasTimes = timeNames.some((name) => values[name] !== undefined);
  return {
    ...(title !== undefined && { title: title.trim() }),
    ...(hasTimes && toTimes(all)),
    ...(location !== undefined && { location: location.trim() || null }),
    ...(status !== undefined && { status }),
  };
};

const missing = (name: 'title' | 'start' | 'startTime' | 'end' | 'endTime') => (value: string) =>
  value.trim() === '' ? texts.missing(texts.fields[name]) : undefined;

const isOver = ({ isAllDay, start, startTime, end, endTime }: EventValues): boolean =>
  end < start || (!isAllDay && end === start && endTime < startTime);

/** The rules of the fields of an event. */
export const eventRules = {
  title: missing('title'),
  start: missing('start'),
  startTime: (value: string, { isAllDay }: EventValues) =>
    isAllDay ? undefined : missing('startTime')(value),
  end: (value: string, values: EventValues) =>
    missing('end')(value) ?? (isOver(values) ? toSentence(texts.endBeforeStart) : undefined),
  endTime: (value: string, { isAllDay }: EventValues) =>
    isAllDay ? undefined : missing('endTime')(value),
} as const;
