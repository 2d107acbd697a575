import type { Actor } from '../../../../shared/auth/actor.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import type { SortableTime } from '../recurrence/recurrence.ts';
import { localTimeFromDate, toDate } from '../recurrence/time.ts';

/** The zone of who has none is UTC. */
export const getTimeZone = ({ user }: Actor): string => user.timezone ?? 'UTC';

export const types = ['meeting', 'task', 'reminder', 'holiday'] as const;
export const statuses = ['pending', 'in_progress', 'done'] as const;
export const priorities = ['low', 'medium', 'high'] as const;
/** What an attendee has said; nothing yet where it is `pending`. */
export const attendances = ['pending', 'accepted', 'declined', 'tentative'] as const;

export type Attendance = (typeof attendances)[number];

/** Each takes two items of a transaction, which holds 100: where the event stood and where it stands. */
export const maxAttendees = 40;
export const maxExdates = 200;
export const maxOverrides = 50;

export interface Attendee {
  readonly id: number;
  /** As it was when the user was invited or answered; where it is shown, as it is now. */
  readonly name: string;
  /** Only where it is shown. */
  readonly avatar?: string | null;
  readonly status: Attendance;
}

/** One occurrence of what recurs that differs from the others. */
export interface Override {
  /** When it would start by the rule; it is known by that. */
  readonly recurrenceId: string;
  readonly start: string;
  readonly end: string;
  readonly title?: string;
  readonly location?: string;
  readonly status?: (typeof statuses)[number];
}

/**
 * When something happens. Times are ISO 8601 in UTC, to the second; of all-day events they are dates, and `end` is the
 * first day that is no part of it (RFC 5545 §3.6.1, DTEND).
 */
export interface Schedule {
  readonly allDay: boolean;
  readonly start: string;
  readonly end: string;
  readonly timezone: string;
  /** RFC 5545 §3.3.10; its first occurrence starts at `start`. */
  readonly rrule?: string;
  /** No occurrence starts later; absent where it recurs for ever. */
  readonly lastStart?: string;
  /** Starts by the rule of occurrences that were cancelled. */
  readonly exdates: readonly string[];
  readonly overrides: readonly Override[];
}

/** An event as the table keeps it, without its keys. */
export interface StoredEvent extends Schedule {
  readonly id: number;
  readonly ownerId: number;
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
  /** How often it was changed when it happens: SEQUENCE of RFC 5545. */
  readonly sequence: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

/** One time that an event takes place, from one tick to another. */
export interface Occurrence {
  readonly event: StoredEvent;
  readonly start: SortableTime;
  readonly end: SortableTime;
  /** Of what recurs: its start by the rule. */
  readonly recurrenceId?: string;
  /** Where it differs from the others. */
  readonly override?: Override;
}

/** The same for what never existed and for what the caller may not know of or may not change. */
export const notFound = () => new AppError('NOT_FOUND', 'There is no such event for you');

const isInvited = (userId: number, { attendees }: StoredEvent): boolean =>
  attendees.some(({ id }) => id === userId);

/** Owner and attendees see an event (decisions.md#rights). */
export const canView = (userId: number, event: StoredEvent): boolean =>
  event.ownerId === userId || isInvited(userId, event);

/** Is it a task that nobody has done? */
export const isOpenTask = ({ type, status }: StoredEvent): boolean =>
  type === 'task' && status !== 'done';

type Timed = Pick<Schedule, 'allDay'>;

/** The tick of a time of an event. */
export const toSortableTime = ({ allDay }: Timed, time: string): SortableTime =>
  allDay ? localTimeFromDate(time) : Date.parse(time);

/** A tick as an event keeps it: a date, or a time. */
export const toTimeField = ({ allDay }: Timed, tick: SortableTime): string =>
  allDay ? toDate(tick) : new Date(tick).toISOString();

/** How long each occurrence takes, in ms. */
export const getDuration = (schedule: Schedule): number =>
  toSortableTime(schedule, schedule.end) - toSortableTime(schedule, schedule.start);

/** From when to when there is something of an event: `over` is `undefined` where it never is. */
export const getEventSpan = (
  schedule: Schedule,
): { readonly first: SortableTime; readonly over: SortableTime | undefined } => {
  const { start, end, rrule, lastStart, overrides } = schedule;
  const ticks = (names: 'start' | 'end') =>
    overrides.map((override) => toSortableTime(schedule, override[names]));
  const first = Math.min(toSortableTime(schedule, start), ...ticks('start'));
  if (rrule === undefined) return { first, over: toSortableTime(schedule, end) };
  if (lastStart === undefined) return { first, over: undefined };
  const last = toSortableTime(schedule, lastStart) + getDuration(schedule);
  return { first, over: Math.max(last, ...ticks('end')) };
};
