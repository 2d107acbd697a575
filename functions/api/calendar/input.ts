import * as z from 'zod';
import { idField } from '../../../shared/db/ids.ts';
import { label, multiLine, oneLine, optional, TimeZone } from '../../../shared/input/fields.ts';
import { recordChange } from '../../../shared/input/record-change.ts';
import type { EventFields, GivenTimes } from './events/events.ts';
import { maxAttendees, maxExdates, priorities, statuses, types } from './record/event.ts';
import { CalendarEvent } from './schemas.ts';

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const time = z.string('must be a date or a time').max(40, 'must be a date or a time');

const userId = idField('a user');

const minutesOfFourWeeks = 4 * 7 * 24 * 60;
const reminder = z
  .int('must be a whole number of minutes')
  .min(0, 'must be from 0 minutes before the start')
  .max(minutesOfFourWeeks, `must be at most ${minutesOfFourWeeks} minutes (four weeks)`);

const start = time.meta({
  description:
    'A time (2026-11-21T09:30:00Z, or 2026-11-21T09:30 in `timezone`), or a date of an all-day event. Of what recurs, it moves on to the first occurrence of `rrule`',
});
const end = time.meta({
  description:
    'Without one an all-day event has one day, any other is a moment. Of an all-day event it is the first day after it (RFC 5545, DTEND); the same as `start` means that one day',
});

const title = label(200);
const allDay = z.boolean();
const sameAs = (name: string) => ({ description: `The same as \`${name}\`` });

const ends = {
  end: optional(end),
  endAt: optional(time).meta(sameAs('end')),
  endTime: optional(time).meta(sameAs('end')),
};

const location = optional(oneLine(200));
const status = optional(oneOf(statuses));

/** What may be absent or null whether an event is made or changed. */
const optionals = {
  description: optional(multiLine(5_000)),
  ...ends,
  timezone: optional(TimeZone).meta({
    description: "IANA, such as Europe/Berlin; without one that of the user's profile, or UTC",
  }),
  rrule: optional(oneLine(510)).meta({
    description:
      'RFC 5545 §3.3.10 with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY, COUNT to 1000, at most 24 times a day',
  }),
  exdates: optional(z.array(time).max(maxExdates, `must have at most ${maxExdates} times`)).meta({
    description:
      'Occurrences that are cancelled, each by its start or its date; what is none is left out. As they were read, they move along with `start`; others are starts of what the event becomes',
  }),
  type: optional(oneOf(types)).meta({ description: '`meeting` without one' }),
  color: optional(
    z
      .string()
      .trim()
      .regex(/^(#[\da-f]{3,8}|[a-z-]{1,30})$/i, 'must be a colour such as #1e90ff or teal'),
  ),
  location,
  priority: optional(oneOf(priorities)).meta({ description: '`medium` without one' }),
  status: status.meta({ description: '`pending` without one' }),
  reminders: optional(z.array(reminder).max(5, 'must have at most 5 reminders')).meta({
    description: 'Minutes before the start',
  }),
};

const attendeesOf = <Attendee extends z.ZodType>(attendee: Attendee, description: string) =>
  optional(
    z
      .array(z.union([userId, attendee], 'must be the id of a user'))
      .max(maxAttendees, `must have at most ${maxAttendees} users`),
  ).meta({ description });

const whoAttends =
  'Ids of active users, or objects with an `id`; those who are new are invited. The owner is none of them';

const newEvent = {
  title,
  start: optional(start),
  startAt: optional(time).meta(sameAs('start')),
  startTime: optional(time).meta(sameAs('start')),
  allDay: optional(allDay).meta({
    description: 'Without it, a new event is all day where `start` is a date',
  }),
  ...optionals,
  attendees: attendeesOf(z.object({ id: userId }), whoAttends),
};

/** What an event can't be without: it can be another, but not null. */
const starts = {
  start: start.optional(),
  startAt: time.optional().meta(sameAs('start')),
  startTime: time.optional().meta(sameAs('start')),
};

const changedEvent = {
  title: title.optional(),
  ...starts,
  allDay: allDay.optional(),
  ...optionals,
  attendees: attendeesOf(
    z.object({ id: userId, status: z.unknown().optional() }),
    `${whoAttends}. \`status\` as it was read: who is invited answers at PUT /api/calendar/events/{id}/attendance`,
  ),
};

export type Fields = Omit<Partial<z.output<z.ZodObject<typeof newEvent>>>, 'title'> & {
  readonly title?: string | null | undefined;
};

const aliases = {
  start: ['start', 'startAt', 'startTime'],
  end: ['end', 'endAt', 'endTime'],
} as const;

const sent = (input: Fields, name: keyof typeof aliases) =>
  aliases[name].filter((alias) => input[alias] != null);

const checkAliases = (input: Fields, check: z.core.$RefinementCtx): void => {
  for (const name of ['start', 'end'] as const) {
    const [first, ...others] = sent(input, name);
    for (const other of others) {
      if (first && input[other] !== input[first]) {
        const message = `can not differ from ${first}`;
        check.addIssue({ code: 'custom', path: [other], message });
      }
    }
  }
};

/** The body of `POST /api/calendar/events`; optional fields take null (decisions.md#bodies). */
export const EventInput = z
  .object(newEvent)
  .superRefine((input, check) => {
    checkAliases(input, check);
    if (sent(input, 'start').length === 0) {
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

export const otherNames = {
  start: ['startAt', 'startTime'],
  end: ['endAt', 'endTime'],
} as const;

export const changeOfEvent = recordChange(CalendarEvent, changedEvent, {
  aliases: otherNames,
  elsewhere: { overrides: 'is changed at PUT /api/calendar/events/{id}/occurrences/{start}' },
  sets: ['reminders'],
});

/** The body of `PUT /api/calendar/events/{id}`: what is sent is changed, null takes an optional field away. */
export const EventChange = z.object(changeOfEvent.shape).meta({
  id: 'UpdateEventInput',
  description:
    'Where a recurring event moves (`start`, `timezone`, `rrule`, `allDay`), its cancelled and changed occurrences move along by as much as its start does by local time, also across changes of the clocks; a changed one that has another start of its own moves by as much from there. Where the event has no such occurrence any more they are removed, and the `message` says how many. Where `rrule` has no occurrence at `start`, they keep their dates and take on its time of day. With the `occurrenceStart` of an occurrence, as lists show it, `start`, `end`, `title`, `location` and `status` are those of this occurrence: where one differs from the list it is changed of this occurrence alone, and the series never moves by it; all else is changed of the whole series. The answer is the occurrence then',
  examples: [{ start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', status: 'done' }],
});

/** The body of `PUT /api/calendar/events/{id}/attendance`. */
export const AttendanceInput = z
  .object({ status: oneOf(['accepted', 'declined', 'tentative']) })
  .meta({ id: 'AttendanceInput', examples: [{ status: 'accepted' }] });

const ofOthers = { description: 'null: as with all others' };

const byAll = 'is changed for all occurrences at PUT /api/calendar/events/{id}';
const ofAll = [
  ...['description', 'type', 'color', 'allDay', 'timezone', 'rrule', 'exdates', 'overrides'],
  ...['attendees', 'reminders', 'priority'],
];

export const changeOfOccurrence = recordChange(
  CalendarEvent,
  {
    ...starts,
    end: end.optional(),
    endAt: time.optional().meta(sameAs('end')),
    endTime: time.optional().meta(sameAs('end')),
    title: optional(title).meta(ofOthers),
    location: location.meta(ofOthers),
    status: status.meta(ofOthers),
  },
  {
    aliases: otherNames,
    elsewhere: Object.fromEntries(ofAll.map((field) => [field, byAll])),
    sets: ['reminders'],
  },
);

/** The body of `PUT /api/calendar/events/{id}/occurrences/{start}`. */
export const OccurrenceChange = z.object(changeOfOccurrence.shape).meta({
  id: 'UpdateOccurrenceInput',
  examples: [{ start: '2026-12-02T09:30:00+01:00', location: 'Room 2' }],
});

const timeOf = (input: Fields, name: keyof typeof aliases): string | undefined => {
  const [alias] = sent(input, name);
  return alias && (input[alias] ?? undefined);
};

/** Is one of the names of a time sent as null? */
const isTaken = (input: Fields, name: keyof typeof aliases): boolean =>
  aliases[name].some((alias) => input[alias] === null);

export const attendeeIds = (attendees: Fields['attendees']): readonly number[] =>
  (attendees ?? []).map((attendee) => (typeof attendee === 'number' ? attendee : attendee.id));

export const reminders = (minutes: Fields['reminders']): readonly number[] =>
  [...new Set(minutes)].sort((a, b) => a - b);

export const defaults = { type: 'meeting', priority: 'medium', status: 'pending' } as const;

/** What of the schedule is sent. */
export const timesOf = (input: Fields): GivenTimes => {
  const { allDay, timezone, rrule, exdates } = input;
  const [start, end] = [timeOf(input, 'start'), timeOf(input, 'end')];
  return {
    ...(start !== undefined && { start }),
    ...((end !== undefined || isTaken(input, 'end')) && { end }),
    ...(allDay != null && { allDay }),
    ...(timezone != null && { timezone }),
    ...(rrule !== undefined && { rrule: rrule ?? undefined }),
    ...(exdates !== undefined && { exdates: exdates ?? [] }),
  };
};

/** The input as the domain takes it, what is not sent as it is by default. */
export const toNewEvent = (
  input: z.output<typeof EventInput>,
): {
  readonly fields: EventFields;
  readonly times: GivenTimes & { readonly start: string };
  readonly attendeeIds: readonly number[];
} => ({
  fields: {
    title: input.title,
    description: input.description ?? undefined,
    type: input.type ?? defaults.type,
    color: input.color ?? undefined,
    location: input.location ?? undefined,
    priority: input.priority ?? defaults.priority,
    status: input.status ?? defaults.status,
    reminders: reminders(input.reminders),
  },
  times: { ...timesOf(input), start: timeOf(input, 'start') ?? '' },
  attendeeIds: attendeeIds(input.attendees),
});
