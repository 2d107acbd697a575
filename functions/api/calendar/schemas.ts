import * as z from 'zod';
import { Success } from '../../../shared/http/envelope.ts';
import type { EventWindowResult } from './events/window.ts';
import { listAnswers, withAnswersAt } from './record/answers.ts';
import {
  attendances,
  type Occurrence,
  priorities,
  type StoredEvent,
  statuses,
  toTimeField,
  types,
} from './record/event.ts';

const createdAt = '2026-11-21T12:00:00.000Z';

const exampleFields = {
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
  owner: null,
  version: 1,
  createdAt,
  updatedAt: createdAt,
};

const exampleEvent = {
  ...exampleFields,
  ...{ seriesId: null, occurrenceStart: null, recurrenceId: null },
  ...{ exdates: [], overrides: [], answers: [] },
};

const time = z.string().meta({
  description: 'A time in UTC (ISO 8601), or a date for an all-day event.',
});
const end = z.string().meta({
  description: 'When it ends. For an all-day event, the day after its last (DTEND of RFC 5545).',
});

const eventFields = z.object({
  id: z.int().positive(),
  title: z.string(),
  description: z.string().nullable(),
  start: time,
  end,
  type: z.enum(types),
  color: z.string().nullable(),
  allDay: z.boolean(),
  location: z.string().nullable(),
  timezone: z.string().meta({ description: 'The IANA time zone in which the event recurs.' }),
  rrule: z.string().nullable().meta({ description: 'The recurrence rule (RRULE of RFC 5545).' }),
  attendees: z.array(
    z.object({
      id: z.int().positive(),
      name: z.string().meta({
        description:
          'The user’s name. For a deleted user, the name at the time of the invitation or response.',
      }),
      avatar: z.string().nullable().meta({ description: 'The URL of an image.' }),
      status: z.enum(attendances),
    }),
  ),
  reminders: z.array(z.int()).meta({ description: 'When to remind, in minutes before the start.' }),
  status: z.enum(statuses),
  priority: z.enum(priorities),
  owner_id: z.int().positive(),
  owner: z.string().nullable().meta({
    description: 'The owner’s name; `null` if you own it.',
  }),
  version: z.int().positive(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});

/** The fields that distinguish an occurrence from its recurring event. */
export const occurrenceFields = {
  seriesId: z.int().positive().nullable().meta({
    description:
      'The `id` of the event that this is an occurrence of. `null`: this is an event, not an occurrence.',
  }),
  occurrenceStart: time.nullable().meta({
    description:
      'When the rule starts this occurrence, even if it was moved. Identifies it in `/api/calendar/events/{seriesId}/occurrences/{occurrenceStart}`.',
  }),
};

const seriesFields = {
  ...occurrenceFields,
  recurrenceId: time.nullable().meta({ description: 'The same as `occurrenceStart`.' }),
};

const overrideSchema = z.object({
  recurrenceId: time.meta({ description: 'When the rule starts the occurrence.' }),
  start: time,
  end,
  title: z.string().nullable().meta({ description: '`null`: the same as for all occurrences.' }),
  location: z.string().nullable().meta({ description: '`null`: the same as for all occurrences.' }),
  status: z
    .enum(statuses)
    .nullable()
    .meta({ description: '`null`: the same as for all occurrences.' }),
});

const answerSchema = z.object({
  userId: z.int().positive().meta({ description: 'The id of the attendee.' }),
  occurrenceStart: time.meta({ description: 'When the rule starts the occurrence.' }),
  status: z.enum(attendances),
});

/** An event. A recurring one is its first occurrence, the rule and the exceptions. */
export const CalendarEvent = eventFields
  .extend({
    ...seriesFields,
    exdates: z.array(time).meta({ description: 'The starts of canceled occurrences.' }),
    overrides: z
      .array(overrideSchema)
      .meta({ description: 'Occurrences that differ from the rule.' }),
    answers: z.array(answerSchema).meta({
      description:
        'Responses to single occurrences that differ from `attendees.status`, the response to all.',
    }),
  })
  .meta({ id: 'CalendarEvent', examples: [exampleEvent] });

export const exampleOccurrence = {
  ...exampleFields,
  seriesId: exampleFields.id,
  occurrenceStart: exampleFields.start,
  recurrenceId: exampleFields.start,
};

/** A single event or one occurrence of a recurring one. */
export const EventOccurrence = eventFields.extend(seriesFields).meta({
  id: 'EventOccurrence',
  examples: [exampleOccurrence],
});

/** The occurrences in a time window. */
export const EventWindow = Success(
  z.object({
    items: z
      .array(EventOccurrence)
      .meta({ description: 'Up to 500 occurrences in chronological order.' }),
    total: z.int().meta({ description: 'The number of `items`.' }),
    totalIsExact: z
      .boolean()
      .meta({ description: 'Whether `total` is exact: false if `truncated`.' }),
    page: z.literal(1),
    pageSize: z.int(),
    totalPages: z.int(),
    nextCursor: z.null(),
    start: z.iso.datetime(),
    end: z.iso.datetime(),
    timezone: z.string().meta({ description: 'The time zone of the window.' }),
    truncated: z
      .boolean()
      .meta({ description: 'Whether there are more occurrences in the window.' }),
    nextStart: z.iso.datetime().nullable().meta({
      description:
        'If truncated, the `start` for the next request. Occurrences in progress then are returned again.',
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

const toEventFields = (event: StoredEvent): z.output<typeof eventFields> => ({
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
  attendees: event.attendees.map(({ id, name, avatar = null, status }) => ({
    id,
    name,
    avatar,
    status,
  })),
  reminders: [...event.reminders],
  status: event.status,
  priority: event.priority,
  owner_id: event.ownerId,
  owner: event.ownerName ?? null,
  version: event.version,
  createdAt: event.createdAt,
  updatedAt: event.updatedAt,
});

/** Converts an event to its API form. */
export const toEvent = (event: StoredEvent): z.output<typeof CalendarEvent> => ({
  ...toEventFields(event),
  ...{ seriesId: null, occurrenceStart: null, recurrenceId: null },
  exdates: [...event.exdates],
  overrides: event.overrides.map(({ title, location, status, ...times }) => ({
    ...times,
    title: title ?? null,
    location: location ?? null,
    status: status ?? null,
  })),
  answers: listAnswers(event),
});

/** Converts an occurrence to its API form. */
export const toOccurrence = ({
  event,
  start,
  end: endTime,
  recurrenceId,
  override,
}: Occurrence): z.output<typeof EventOccurrence> => ({
  ...toEventFields(withAnswersAt(event, recurrenceId)),
  ...(override?.title !== undefined && { title: override.title }),
  ...(override?.location !== undefined && { location: override.location }),
  ...(override?.status !== undefined && { status: override.status }),
  start: toTimeField(event, start),
  end: toTimeField(event, endTime),
  seriesId: recurrenceId === undefined ? null : event.id,
  occurrenceStart: recurrenceId ?? null,
  recurrenceId: recurrenceId ?? null,
});

/** Converts the occurrences of a window to their API form. */
export const toWindow = ({
  occurrences,
  start,
  end: endTime,
  timezone,
  isTruncated,
  nextStart,
}: EventWindowResult): z.output<typeof EventWindow>['data'] => ({
  items: occurrences.map(toOccurrence),
  total: occurrences.length,
  totalIsExact: !isTruncated,
  page: 1,
  pageSize: 500,
  totalPages: occurrences.length === 0 ? 0 : 1,
  nextCursor: null,
  start: new Date(start).toISOString(),
  end: new Date(endTime).toISOString(),
  timezone,
  truncated: isTruncated,
  nextStart: nextStart === undefined ? null : new Date(nextStart).toISOString(),
});
