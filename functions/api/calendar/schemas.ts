import * as z from 'zod';
import { Success } from '../../../shared/http/envelope.ts';
import type { WindowOfEvents } from './events/window.ts';
import {
  attendances,
  type Occurrence,
  priorities,
  type StoredEvent,
  statuses,
  timeOf,
  types,
} from './record/event.ts';

const createdAt = '2026-11-21T12:00:00.000Z';

const exampleListed = {
  id: 244_212_480_008_192,
  title: 'Board meeting',
  description: null,
  start: '2026-12-01T08:30:00.000Z',
  end: '2026-12-01T09:30:00.000Z',
  type: 'meeting' as const,
  color: null,
  allDay: false,
  location: null,
  timezone: 'Europe/Berlin',
  rrule: 'FREQ=MONTHLY;BYDAY=1TU',
  attendees: [
    { id: 244_212_480_004_096, name: 'Bob Example', avatar: null, status: 'pending' as const },
  ],
  reminders: [10],
  status: 'pending' as const,
  priority: 'medium' as const,
  owner_id: 244_212_480_000_000,
  version: 1,
  createdAt,
  updatedAt: createdAt,
};

const exampleEvent = {
  ...exampleListed,
  ...{ seriesId: null, occurrenceStart: null, recurrenceId: null },
  ...{ exdates: [], overrides: [] },
};

const time = z.string().meta({
  description: 'ISO 8601 in UTC; a date where the event is all day',
});
const end = z.string().meta({
  description: 'Where the event is all day, the first day after it (RFC 5545, DTEND)',
});

const listed = z.object({
  id: z.int().positive(),
  title: z.string(),
  description: z.string().nullable(),
  start: time,
  end,
  type: z.enum(types),
  color: z.string().nullable(),
  allDay: z.boolean(),
  location: z.string().nullable(),
  timezone: z.string().meta({ description: 'IANA; where it recurs by the clock on the wall' }),
  rrule: z.string().nullable().meta({ description: 'RFC 5545 §3.3.10' }),
  attendees: z.array(
    z.object({
      id: z.int().positive(),
      name: z.string().meta({
        description: 'Of who was removed, as when the user was invited or answered',
      }),
      avatar: z
        .string()
        .nullable()
        .meta({ description: 'The URL of an image; null: there is none' }),
      status: z.enum(attendances),
    }),
  ),
  reminders: z.array(z.int()).meta({ description: 'Minutes before the start' }),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  owner_id: z.int().positive(),
  version: z.int().positive(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** By which an occurrence of a recurring event is told from the event itself. */
export const occurrenceFields = {
  seriesId: z.int().positive().nullable().meta({
    description:
      'The `id` of the event that this is an occurrence of; null: it is none, but an event itself',
  }),
  occurrenceStart: time.nullable().meta({
    description:
      'When the occurrence starts by the rule, whenever it really does: it is addressed by that at `/api/calendar/events/{seriesId}/occurrences/{occurrenceStart}`; null: it is none',
  }),
};

const ofSeries = {
  ...occurrenceFields,
  recurrenceId: time.nullable().meta({ description: 'The same as `occurrenceStart`' }),
};

const override = z.object({
  recurrenceId: time.meta({ description: 'When it would start by the rule' }),
  start: time,
  end,
  title: z.string().nullable().meta({ description: 'null: as with all others' }),
  location: z.string().nullable().meta({ description: 'null: as with all others' }),
  status: z.enum(statuses).nullable().meta({ description: 'null: as with all others' }),
});

/** An event, of what recurs the first occurrence and how the others follow. */
export const CalendarEvent = listed
  .extend({
    ...ofSeries,
    exdates: z.array(time).meta({ description: 'Starts of occurrences that were cancelled' }),
    overrides: z.array(override).meta({ description: 'Occurrences that differ from the others' }),
  })
  .meta({ id: 'CalendarEvent', examples: [exampleEvent] });

/** One time that an event takes place, for the document. */
export const exampleOccurrence = {
  ...exampleListed,
  seriesId: exampleListed.id,
  occurrenceStart: exampleListed.start,
  recurrenceId: exampleListed.start,
};

/** One time that an event takes place. */
export const EventOccurrence = listed.extend(ofSeries).meta({
  id: 'EventOccurrence',
  examples: [exampleOccurrence],
});

/** What takes place in a window of time. */
export const EventWindow = Success(
  z.object({
    items: z.array(EventOccurrence).meta({ description: '500 at most, in the order of time' }),
    total: z.int().meta({ description: 'How many there are in `items`' }),
    totalIsExact: z.boolean().meta({ description: 'False where `truncated`' }),
    page: z.literal(1),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.null(),
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    timezone: z.string().meta({ description: 'In which dates of the query were read' }),
    truncated: z.boolean().meta({ description: 'Is there more in the window than is shown?' }),
    nextStart: z.iso.datetime().nullable().meta({
      description:
        'Where it is truncated: the `start` that goes on from here; what is in progress then comes again',
    }),
  }),
).meta({
  id: 'EventWindow',
  examples: [
    {
      success: true,
      data: {
        items: [exampleOccurrence],
        total: 1,
        totalIsExact: true,
        page: 1,
        pageSize: 500,
        totalPages: 1,
        nextCursor: null,
        start: '2026-12-01T00:00:00.000Z',
        end: '2027-01-01T00:00:00.000Z',
        timezone: 'UTC',
        truncated: false,
        nextStart: null,
      },
    },
  ],
});

export const EventDeleted = Success(z.object({ id: z.int() })).meta({
  id: 'DeletedEvent',
  examples: [{ success: true, data: { id: exampleEvent.id }, message: 'Deleted' }],
});

const toListed = (event: StoredEvent): z.output<typeof listed> => ({
  id: event.id,
  title: event.title,
  description: event.description ?? null,
  start: event.start,
  end: event.end,
  type: event.type,
  color: event.color ?? null,
  allDay: event.allDay,
  location: event.location ?? null,
  timezone: event.timezone,
  rrule: event.rrule ?? null,
  attendees: event.attendees.map(({ avatar = null, ...one }) => ({ ...one, avatar })),
  reminders: [...event.reminders],
  status: event.status,
  priority: event.priority,
  owner_id: event.ownerId,
  version: event.version,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
});

/** An event as the API shows it. */
export const toEvent = (event: StoredEvent): z.output<typeof CalendarEvent> => ({
  ...toListed(event),
  ...{ seriesId: null, occurrenceStart: null, recurrenceId: null },
  exdates: [...event.exdates],
  overrides: event.overrides.map(({ title, location, status, ...times }) => ({
    ...times,
    title: title ?? null,
    location: location ?? null,
    status: status ?? null,
  })),
});

/** One time that an event takes place, as the API shows it. */
export const toOccurrence = ({
  event,
  start,
  end: over,
  recurrenceId,
  override: differing,
}: Occurrence): z.output<typeof EventOccurrence> => ({
  ...toListed(event),
  ...(differing?.title !== undefined && { title: differing.title }),
  ...(differing?.location !== undefined && { location: differing.location }),
  ...(differing?.status !== undefined && { status: differing.status }),
  start: timeOf(event, start),
  end: timeOf(event, over),
  seriesId: recurrenceId === undefined ? null : event.id,
  occurrenceStart: recurrenceId ?? null,
  recurrenceId: recurrenceId ?? null,
});

/** What takes place in a window, as the API shows it. */
export const toWindow = ({
  occurrences,
  start,
  end: over,
  timezone,
  isTruncated,
  nextStart,
}: WindowOfEvents): z.output<typeof EventWindow>['data'] => ({
  items: occurrences.map(toOccurrence),
  total: occurrences.length,
  totalIsExact: !isTruncated,
  page: 1,
  pageSize: 500,
  totalPages: occurrences.length === 0 ? 0 : 1,
  nextCursor: null,
  start: new Date(start).toISOString(),
  end: new Date(over).toISOString(),
  timezone,
  truncated: isTruncated,
  nextStart: nextStart === undefined ? null : new Date(nextStart).toISOString(),
});
