import type { Actor } from '../../../../shared/auth/actor.ts';
import { itemParser } from '../../../../shared/db/item-parser.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { localTimeFromDate, toDate } from '../recurrence/time.ts';

/** Returns the actor's time zone, by default UTC. */
export const getTimeZone = ({ user }: Actor): string => user.timezone ?? 'UTC';

export const types = ['meeting', 'task', 'reminder', 'holiday'] as const;
export const statuses = ['pending', 'in_progress', 'done'] as const;
export const priorities = ['low', 'medium', 'high'] as const;
/** The responses of attendees; `pending` means none yet. */
export const attendances = ['pending', 'accepted', 'declined', 'tentative'] as const;

export type Attendance = (typeof attendances)[number];

/** Each attendee takes two items of a transaction, which holds 100: the old and the new index entry. */
export const maxAttendees = 40;
export const maxExdates = 200;
export const maxOverrides = 50;
/** Answers to single occurrences, per attendee. */
export const maxAnswers = 50;

export interface Attendee {
  readonly id: number;
  /** The name at the time of the invitation or response; the current one in responses of the API. */
  readonly name: string;
  /** Only in responses of the API. */
  readonly avatar?: string | null;
  readonly status: Attendance;
  /** The answers to single occurrences that differ from `status`, by their start according to the rule. */
  readonly answers?: Readonly<Record<string, Attendance>>;
}

/** A modified occurrence of a recurring event. */
export interface Override {
  /** The start according to the rule, which identifies the occurrence. */
  readonly recurrenceId: string;
  readonly start: string;
  readonly end: string;
  readonly title?: string;
  readonly location?: string;
  readonly status?: (typeof statuses)[number];
}

/**
 * The schedule of an event. Times are ISO 8601 in UTC, to the second. For all-day events they are dates, and `end` is the
 * day after the last (RFC 5545 §3.6.1, DTEND).
 */
export interface Schedule {
  readonly allDay: boolean;
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
  /** RFC 5545 §3.3.10. The first occurrence starts at `start`. */
  readonly rrule?: string;
  /** The start of the last occurrence; absent if the event recurs forever. */
  readonly lastStart?: string;
  /** The canceled occurrences, by their start according to the rule. */
  readonly exdates: readonly string[];
  readonly overrides: readonly Override[];
}

/** An event as stored in the table, without its keys. */
export interface StoredEvent extends Schedule {
  readonly id: number;
  readonly ownerId: number;
  /** Only in responses of the API to others than the owner. */
  readonly ownerName?: string;
  readonly title: string;
  readonly description?: string;
  readonly type: (typeof types)[number];
  readonly color?: string;
  readonly location?: string;
  readonly priority: (typeof priorities)[number];
  readonly status: (typeof statuses)[number];
  /** Never the owner. */
  readonly attendees: readonly Attendee[];
  /** Minutes before the start. */
  readonly reminders: readonly number[];
  /** The number of changes of its schedule: SEQUENCE of RFC 5545. */
  readonly sequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** Parses a stored event. */
export const parseEvent = itemParser<StoredEvent>('event', [
  ...(['id', 'ownerId', 'title', 'type', 'priority', 'status', 'attendees', 'reminders'] as const),
  ...(['allDay', 'start', 'end', 'timezone', 'exdates', 'overrides'] as const),
  ...(['sequence', 'createdAt', 'updatedAt', 'version'] as const),
]);

/** A single event or one occurrence of a recurring one. */
export interface Occurrence {
  readonly event: StoredEvent;
  readonly start: SortableTime;
  readonly end: SortableTime;
  /** For a recurring event, the start according to the rule. */
  readonly recurrenceId?: string;
  /** Set if the occurrence is modified. */
  readonly override?: Override;
}

/** The same error for unknown events and those that the caller can't see or change. */
export const notFound = () => new AppError('NOT_FOUND', 'Event not found.');

const isInvited = (userId: number, { attendees }: StoredEvent): boolean =>
  attendees.some(({ id }) => id === userId);

/** Reports whether a user is the owner or an attendee. */
export const canView = (userId: number, event: StoredEvent): boolean =>
  event.ownerId === userId || isInvited(userId, event);

/** Reports whether an event is a task that is not done. */
export const isOpenTask = ({ type, status }: StoredEvent): boolean =>
  type === 'task' && status !== 'done';

type Timed = Pick<Schedule, 'allDay'>;

/** Converts a stored time of an event to a sortable time. */
export const toSortableTime = ({ allDay }: Timed, time: string): SortableTime =>
  allDay ? localTimeFromDate(time) : Date.parse(time);

/** Converts a sortable time to the stored form: a date or a time. */
export const toTimeField = ({ allDay }: Timed, time: SortableTime): string =>
  allDay ? toDate(time) : new Date(time).toISOString();

/** Returns the duration of each occurrence, in ms. */
export const getDuration = (schedule: Schedule): number =>
  toSortableTime(schedule, schedule.end) - toSortableTime(schedule, schedule.start);

/** Returns the time range of an event with all occurrences. `over` is `undefined` if it recurs forever. */
export const getEventSpan = (
  schedule: Schedule,
): { readonly first: SortableTime; readonly over: SortableTime | undefined } => {
  const { start, end, rrule, lastStart, overrides } = schedule;
  const times = (field: 'start' | 'end') =>
    overrides.map((override) => toSortableTime(schedule, override[field]));
  const first = Math.min(toSortableTime(schedule, start), ...times('start'));
  if (rrule === undefined) return { first, over: toSortableTime(schedule, end) };
  if (lastStart === undefined) return { first, over: undefined };
  const last = toSortableTime(schedule, lastStart) + getDuration(schedule);
  return { first, over: Math.max(last, ...times('end')) };
};

/** Returns the starts according to the rule of all canceled and modified occurrences. */
export const listExceptions = ({ exdates, overrides }: Schedule): ReadonlySet<string> =>
  new Set([...exdates, ...overrides.map(({ recurrenceId }) => recurrenceId)]);

/** Returns the modified occurrences that are not canceled. */
export const listOverrides = ({ exdates, overrides }: Schedule): readonly Override[] =>
  overrides.filter(({ recurrenceId }) => !exdates.includes(recurrenceId));

/** Finds the modified occurrence with this start according to the rule. */
export const findOverride = (
  { overrides }: Schedule,
  recurrenceId: string | undefined,
): Override | undefined => overrides.find((override) => override.recurrenceId === recurrenceId);
