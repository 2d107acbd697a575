import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { label, multiLine, oneLine, optional } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import { TimeZone } from '../../../shared/input/time-zone.ts';
import type { EventFields, GivenTimes } from './events/apply-edit.ts';
import { maxAttendees, maxExdates, priorities, statuses, types } from './record/event.ts';
import { CalendarEvent } from './schemas.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const time = z.string('must be a date or time').max(40, 'must be a date or time');

const userId = idField('a user');

const minutesOfFourWeeks = 4 * 7 * 24 * 60;
const reminder = z
  .int('must be an integer (minutes)')
  .min(0, 'must be at least 0')
  .max(minutesOfFourWeeks, `must be at most ${minutesOfFourWeeks} minutes (four weeks)`);

const start = time.meta({
  description:
    'When it starts: a time (`2026-11-21T09:30:00Z`, or `2026-11-21T09:30` in `timezone`), or a date for an all-day event. A recurring event starts with the first occurrence of `rrule` from then on.',
});
const end = time.meta({
  description:
    'When it ends. For an all-day event, the day after its last (DTEND of RFC 5545); the same day as `start` means one day. Without it, an all-day event takes one day and any other has no duration.',
});

const title = label(200);
const allDay = z.boolean();
const sameAs = (name: string) => ({ description: `The same as \`${name}\`.` });

const endFields = {
  end: optional(end),
  endAt: optional(time).meta(sameAs('end')),
  endTime: optional(time).meta(sameAs('end')),
};

const location = optional(oneLine(200));
const status = optional(oneOf(statuses));

/** The fields that accept null, both on creation and update. */
const optionalFields = {
  description: optional(multiLine(5_000)),
  ...endFields,
  timezone: optional(TimeZone).meta({
    description:
      'An IANA time zone, such as `Europe/Berlin`, or a name of Windows, which becomes one. The default is that of your profile, or UTC.',
  }),
  rrule: optional(oneLine(510)).meta({
    description:
      'A recurrence rule (RRULE of RFC 5545) with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY, a COUNT of up to 1000, and up to 24 occurrences a day. Blanks and a semicolon at its end are ignored.',
  }),
  exdates: optional(z.array(time).max(maxExdates, `must contain at most ${maxExdates} times`)).meta(
    {
      description:
        'The canceled occurrences, each by its start or date. Unchanged entries move along with `start`; others refer to the updated event. Entries that match no occurrence are dropped.',
    },
  ),
  type: optional(oneOf(types)).meta({
    description: 'The kind of event; the default is `meeting`.',
  }),
  color: optional(
    z
      .string()
      .trim()
      .regex(/^(#[\da-f]{3,8}|[a-z-]{1,30})$/i, 'must be a color such as #1e90ff or teal'),
  ),
  location,
  priority: optional(oneOf(priorities)).meta({
    description: 'The priority; the default is `medium`.',
  }),
  status: status.meta({ description: 'The status; the default is `pending`.' }),
  reminders: optional(z.array(reminder).max(5, 'must contain at most 5 reminders')).meta({
    description: 'When to remind, in minutes before the start.',
  }),
};

const attendeesField = <Attendee extends z.ZodType>(attendee: Attendee, description: string) =>
  optional(
    z
      .array(z.union([userId, attendee], 'must be the id of a user'))
      .max(maxAttendees, `must contain at most ${maxAttendees} users`),
  ).meta({ description });

const attendeesDescription =
  'Ids of active users, or objects with an `id`. New ones are invited. Doesn’t include the owner.';

const newEvent = {
  title,
  start: optional(start),
  startAt: optional(time).meta(sameAs('start')),
  startTime: optional(time).meta(sameAs('start')),
  allDay: optional(allDay).meta({
    description: 'Whether it takes whole days. The default is true if `start` is a date.',
  }),
  ...optionalFields,
  attendees: attendeesField(z.object({ id: userId }), attendeesDescription),
};

/** The start of an event, which can change but not be cleared. */
const startFields = {
  start: start.optional(),
  startAt: time.optional().meta(sameAs('start')),
  startTime: time.optional().meta(sameAs('start')),
};

const ofAttendee = z.unknown().optional();

const changedEvent = {
  title: title.optional(),
  ...startFields,
  allDay: allDay.optional(),
  ...optionalFields,
  attendees: attendeesField(
    z.object({ id: userId, name: ofAttendee, avatar: ofAttendee, status: ofAttendee }),
    `${attendeesDescription} \`name\`, \`avatar\` and \`status\` are read-only: attendees respond at \`PUT /api/calendar/events/{id}/attendance\`.`,
  ),
};

export type Fields = Omit<Partial<z.output<z.ZodObject<typeof newEvent>>>, 'title'> & {
  readonly title?: string | null | undefined;
};

export const timeAliases = {
  start: ['startAt', 'startTime'],
  end: ['endAt', 'endTime'],
} as const;

const getNames = (name: keyof typeof timeAliases) => [name, ...timeAliases[name]] as const;

const getSentAliases = (input: Fields, name: keyof typeof timeAliases) =>
  getNames(name).filter((alias) => input[alias] != null);

const assertAliases = (input: Fields, check: z.core.$RefinementCtx): void => {
  for (const name of ['start', 'end'] as const) {
    const [first, ...others] = getSentAliases(input, name);
    for (const other of others) {
      if (first && input[other] !== input[first]) {
        const message = `must equal ${first}`;
        check.addIssue({ code: 'custom', path: [other], message });
      }
    }
  }
};

/** The body of `POST /api/calendar/events`; optional fields accept null. */
export const EventInput = z
  .object(newEvent)
  .superRefine((input, check) => {
    assertAliases(input, check);
    if (getSentAliases(input, 'start').length === 0) {
      check.addIssue({ code: 'custom', path: ['start'], message: 'is required' });
    }
  })
  .meta({
    id: 'CreateEventInput',
    examples: [
      {
        title: 'Board meeting',
        start: '2026-12-01T09:30',
        end: '2026-12-01T10:30',
        timezone: 'Europe/Berlin',
        rrule: 'FREQ=MONTHLY;BYDAY=1TU',
        attendees: [244_212_480_004_096],
        reminders: [10],
      },
    ],
  });

export const eventChange = recordChange(CalendarEvent, changedEvent, {
  aliases: timeAliases,
  elsewhere: {
    overrides: 'can only be changed at PUT /api/calendar/events/{id}/occurrences/{start}',
    answers: 'can only be changed by the attendee, at PUT /api/calendar/events/{id}/attendance',
  },
  sets: ['reminders'],
});

/** The body of `PUT /api/calendar/events/{id}`: changes only the fields sent; null clears an optional field. */
export const EventChange = z.object(eventChange.shape).meta({
  id: 'UpdateEventInput',
  description:
    'When a recurring event moves (`start`, `timezone`, `rrule`, `allDay`), its canceled and changed occurrences move along by the same local time; a moved occurrence keeps its distance from the rule. Exceptions without an occurrence afterwards are removed, and `message` says how many. If `rrule` has no occurrence at `start`, they keep their dates and take its time of day.\n\nWith the `occurrenceStart` of an occurrence, `start`, `end`, `title`, `location` and `status` change only that occurrence, and the response is the occurrence; all other fields change the series.',
  examples: [{ start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', status: 'done' }],
});

/** The body of `PUT /api/calendar/events/{id}/attendance`. */
export const AttendanceInput = z
  .object({
    status: oneOf(['accepted', 'declined', 'tentative']),
    occurrenceStart: optional(time).meta({
      description:
        'The `occurrenceStart` of the only occurrence that you respond to. Without it, the response is for all, and replaces those to single ones.',
    }),
  })
  .meta({ id: 'AttendanceInput', examples: [{ status: 'accepted' }] });

const inheritedIfNull = { description: '`null`: the same as for all occurrences.' };

const changedForSeries =
  'can only be changed for all occurrences, at PUT /api/calendar/events/{id}';
const seriesFields = [
  ...['description', 'type', 'color', 'allDay', 'timezone', 'rrule', 'exdates', 'overrides'],
  ...['attendees', 'reminders', 'priority'],
];

export const occurrenceChange = recordChange(
  CalendarEvent,
  {
    ...startFields,
    end: end.optional(),
    endAt: time.optional().meta(sameAs('end')),
    endTime: time.optional().meta(sameAs('end')),
    title: optional(title).meta(inheritedIfNull),
    location: location.meta(inheritedIfNull),
    status: status.meta(inheritedIfNull),
  },
  {
    aliases: timeAliases,
    elsewhere: Object.fromEntries(seriesFields.map((field) => [field, changedForSeries])),
    sets: ['reminders'],
  },
);

/** The body of `PUT /api/calendar/events/{id}/occurrences/{start}`. */
export const OccurrenceChange = z.object(occurrenceChange.shape).meta({
  id: 'UpdateOccurrenceInput',
  examples: [{ start: '2026-12-02T09:30:00+01:00', location: 'Room 2' }],
});

const toTime = (input: Fields, name: keyof typeof timeAliases): string | undefined => {
  const [alias] = getSentAliases(input, name);
  return alias && (input[alias] ?? undefined);
};

/** Reports whether any alias of a time was sent as null. */
const isCleared = (input: Fields, name: keyof typeof timeAliases): boolean =>
  getNames(name).some((alias) => input[alias] === null);

export const toAttendeeIds = (attendees: Fields['attendees']): readonly number[] =>
  (attendees ?? []).map((attendee) => (typeof attendee === 'number' ? attendee : attendee.id));

/** What null stands for, and what a new event has. */
const defaults = {
  description: undefined,
  type: 'meeting',
  color: undefined,
  location: undefined,
  priority: 'medium',
  status: 'pending',
  reminders: [],
} as const;

/** Returns the fields that were sent, except schedule and attendees. */
export const toFields = (input: Fields) => {
  const { title, description, type, color, location, priority, status, reminders } = input;
  return {
    ...(title != null && { title }),
    ...(description !== undefined && { description: description ?? defaults.description }),
    ...(type !== undefined && { type: type ?? defaults.type }),
    ...(color !== undefined && { color: color ?? defaults.color }),
    ...(location !== undefined && { location: location ?? defaults.location }),
    ...(priority !== undefined && { priority: priority ?? defaults.priority }),
    ...(status !== undefined && { status: status ?? defaults.status }),
    ...(reminders !== undefined && { reminders: [...new Set(reminders)].sort((a, b) => a - b) }),
  };
};

/** Returns the schedule fields that were sent. */
export const toTimes = (input: Fields): GivenTimes => {
  const { allDay, timezone, rrule, exdates } = input;
  const [start, end] = [toTime(input, 'start'), toTime(input, 'end')];
  return {
    ...(start !== undefined && { start }),
    ...((end !== undefined || isCleared(input, 'end')) && { end }),
    ...(allDay != null && { allDay }),
    ...(timezone != null && { timezone }),
    ...(rrule !== undefined && { rrule: rrule ?? undefined }),
    ...(exdates !== undefined && { exdates: exdates ?? [] }),
  };
};

/** Converts the input, with defaults for what was not sent. */
export const toNewEvent = (
  input: z.output<typeof EventInput>,
): {
  readonly fields: EventFields;
  readonly times: GivenTimes & { readonly start: string };
  readonly attendeeIds: readonly number[];
} => ({
  fields: { ...defaults, ...toFields(input), title: input.title },
  times: { ...toTimes(input), start: toTime(input, 'start') ?? '' },
  attendeeIds: toAttendeeIds(input.attendees),
});
