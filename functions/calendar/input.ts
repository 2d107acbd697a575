import * as z from 'zod';
import { plainText } from '../../shared/plain-text.ts';
import { recordChange } from '../../shared/record-change.ts';
import { isTimeZone } from '../../shared/settings.ts';
import { maxAttendees, maxExdates, priorities, statuses, types } from './event.ts';
import type { EventFields, GivenTimes } from './events.ts';
import { CalendarEvent } from './schemas.ts';

const text = (max: number) => z.string().trim().max(max, `must have at most ${max} characters`);

const label = (max: number) => plainText(text(max).min(1, 'must not be empty'));

const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);

const time = z.string('must be a date or a time').max(40, 'must be a date or a time');

const userId = z.int('must be the id of a user').positive('must be the id of a user');

const minutesOfFourWeeks = 4 * 7 * 24 * 60;
const reminder = z
  .int('must be a whole number of minutes')
  .min(0, 'must be from 0 minutes before the start')
  .max(minutesOfFourWeeks, `must be at most ${minutesOfFourWeeks} minutes (four weeks)`);

/** An IANA zone of iCalendar: one that is only an offset has no name that others know. */
export const TimeZone = z
  .string()
  .max(100)
  .refine(
    (name) => /^[A-Z]/i.test(name) && isTimeZone(name),
    'must be an IANA time zone such as Europe/Berlin',
  );

const start = time.meta({
  description:
    'A time (2026-11-21T09:30:00Z, or 2026-11-21T09:30 in `timezone`), or a date of an all-day event. Of what recurs, it moves on to the first occurrence of `rrule`',
});
const end = time.meta({
  description:
    'Without one an all-day event has one day, any other is a moment. Of an all-day event it is the first day after it (RFC 5545, DTEND); the same as `start` means that one day',
});

const fields = {
  title: label(200).nullish(),
  description: plainText(text(5_000)).nullish(),
  start: start.nullish(),
  startAt: time.nullish().meta({ description: 'The same as `start`' }),
  startTime: time.nullish().meta({ description: 'The same as `start`' }),
  end: end.nullish(),
  endAt: time.nullish().meta({ description: 'The same as `end`' }),
  endTime: time.nullish().meta({ description: 'The same as `end`' }),
  allDay: z
    .boolean()
    .nullish()
    .meta({ description: 'Without it, a new event is all day where `start` is a date' }),
  timezone: TimeZone.nullish().meta({
    description: "IANA, such as Europe/Berlin; without one that of the user's profile, or UTC",
  }),
  rrule: z.string().max(510, 'must have at most 500 characters').nullish().meta({
    description:
      'RFC 5545 §3.3.10 with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY, COUNT to 1000, at most 24 times a day',
  }),
  exdates: z.array(time).max(maxExdates, `must have at most ${maxExdates} times`).nullish().meta({
    description:
      'Occurrences that are cancelled, each by its start or its date; what is none is left out. As they were read, they move along with `start`; others are starts of what the event becomes',
  }),
  type: oneOf(types).nullish().meta({ description: '`meeting` without one' }),
  color: z
    .string()
    .trim()
    .regex(/^(#[\da-f]{3,8}|[a-z-]{1,30})$/i, 'must be a colour such as #1e90ff or teal')
    .nullish(),
  location: plainText(text(200)).nullish(),
  priority: oneOf(priorities).nullish().meta({ description: '`medium` without one' }),
  status: oneOf(statuses).nullish().meta({ description: '`pending` without one' }),
  attendees: z
    .array(z.union([userId, z.object({ id: userId })], 'must be the id of a user'))
    .max(maxAttendees, `must have at most ${maxAttendees} users`)
    .nullish()
    .meta({
      description:
        'Ids of active users, or objects with an `id`; those who are new are invited. The owner is none of them',
    }),
  reminders: z
    .array(reminder)
    .max(5, 'must have at most 5 reminders')
    .nullish()
    .meta({ description: 'Minutes before the start' }),
};

export type Fields = z.output<z.ZodObject<typeof fields>>;

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

/** The body of `POST /api/calendar/events` (decisions §5); optional fields take null. */
export const EventInput = z
  .object(fields)
  .superRefine((input, check) => {
    checkAliases(input, check);
    if (input.title == null) {
      check.addIssue({ code: 'custom', path: ['title'], message: 'is required' });
    }
    if (sent(input, 'start').length === 0) {
      check.addIssue({ code: 'custom', path: ['start'], message: 'is required' });
    }
  })
  .meta({
    id: 'EventInput',
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

export const changeOfEvent = recordChange(CalendarEvent, fields, {
  aliases: otherNames,
  elsewhere: { overrides: 'is changed at PUT /api/calendar/events/{id}/occurrences/{start}' },
  sets: ['reminders'],
});

/** The body of `PUT /api/calendar/events/{id}`: what is sent is changed, null takes an optional field away. */
export const EventChange = z.object(changeOfEvent.shape).meta({
  id: 'EventChange',
  description:
    'Where a recurring event moves (`start`, `timezone`, `rrule`, `allDay`), its cancelled and changed occurrences move along by as much as its start does by local time, also across changes of the clocks; a changed one that has another start of its own moves by as much from there. Where the event has no such occurrence any more they are removed, and the `message` says how many. Where `rrule` has no occurrence at `start`, they keep their dates and take on its time of day. With the `occurrenceStart` of an occurrence, as lists show it, `start`, `end`, `title`, `location` and `status` are those of this occurrence: where one differs from the list it is changed of this occurrence alone, and the series never moves by it; all else is changed of the whole series. The answer is the occurrence then',
  examples: [{ start: '2026-12-01T10:00:00Z', end: '2026-12-01T11:00:00Z', status: 'done' }],
});

/** The body of `PUT /api/calendar/events/{id}/attendance`. */
export const AttendanceInput = z
  .object({ status: oneOf(['accepted', 'declined', 'tentative']) })
  .meta({ id: 'AttendanceInput', examples: [{ status: 'accepted' }] });

const byAll = 'is changed for all occurrences at PUT /api/calendar/events/{id}';
const ofAll = [
  ...['description', 'type', 'color', 'allDay', 'timezone', 'rrule', 'exdates', 'overrides'],
  ...['attendees', 'reminders', 'priority'],
];

export const changeOfOccurrence = recordChange(
  CalendarEvent,
  {
    ...{ start: fields.start, startAt: fields.startAt, startTime: fields.startTime },
    ...{ end: fields.end, endAt: fields.endAt, endTime: fields.endTime },
    title: fields.title.meta({ description: 'null: as with all others' }),
    location: fields.location.meta({ description: 'null: as with all others' }),
    status: fields.status.meta({ description: 'null: as with all others' }),
  },
  {
    aliases: otherNames,
    elsewhere: Object.fromEntries(ofAll.map((field) => [field, byAll])),
    sets: ['reminders'],
  },
);

/** The body of `PUT /api/calendar/events/{id}/occurrences/{start}`. */
export const OccurrenceChange = z.object(changeOfOccurrence.shape).meta({
  id: 'OccurrenceChange',
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
    ...(rrule !== undefined && { rrule: rrule?.trim() || undefined }),
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
    title: input.title ?? '',
    description: input.description || undefined,
    type: input.type ?? defaults.type,
    color: input.color ?? undefined,
    location: input.location || undefined,
    priority: input.priority ?? defaults.priority,
    status: input.status ?? defaults.status,
    reminders: reminders(input.reminders),
  },
  times: { ...timesOf(input), start: timeOf(input, 'start') ?? '' },
  attendeeIds: attendeeIds(input.attendees),
});
