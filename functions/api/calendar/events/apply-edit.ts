import { resetAnswersAt } from '../record/answers.ts';
import type { Attendee, Schedule, StoredEvent } from '../record/event.ts';
import { noneRemoved, type RemovedExceptions } from '../record/exceptions.ts';
import {
  editOccurrence,
  isSameTimeAt,
  type OccurrenceEdit,
  serializeExceptionTimes,
} from '../record/occurrence-edit.ts';
import { areSameExdates, type GivenSchedule, isSameTime, toSchedule } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { resetResponses } from './attendees.ts';

/** The fields of an event other than its schedule and attendees. */
export interface EventFields {
  readonly title: string;
  readonly description: string | undefined;
  readonly type: StoredEvent['type'];
  readonly color: string | undefined;
  readonly location: string | undefined;
  readonly priority: StoredEvent['priority'];
  readonly status: StoredEvent['status'];
  readonly reminders: readonly number[];
}

/** The schedule fields that were sent. */
export type GivenTimes = Partial<GivenSchedule>;

/** Changes to an event: absent fields stay, `undefined` clears a field. */
export interface EventEdit {
  readonly fields?: { readonly [F in keyof EventFields]?: EventFields[F] | undefined };
  readonly times?: GivenTimes;
  readonly attendeeIds?: readonly number[] | undefined;
  /** Changes to one occurrence, identified by its start according to the rule, or its cancellation. */
  readonly occurrence?: {
    readonly recurrenceId: string;
    readonly edit: OccurrenceEdit | 'cancel';
  };
}

/** An event after an edit. */
export interface EditedEvent {
  readonly event: StoredEvent;
  /** Whether it or an exception has other times: the attendees are notified. */
  readonly isRescheduled: boolean;
  /** The exceptions that have no occurrence any more. */
  readonly removed: RemovedExceptions;
}

/** Returns a copy without the fields that are `undefined`. */
export const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/** Returns the new schedule and the exceptions it removes; `undefined` if no schedule field was sent. */
const nextSchedule = (
  seen: StoredEvent,
  times: GivenTimes,
): { readonly schedule: Schedule; readonly removed: RemovedExceptions } | undefined => {
  if (Object.keys(times).length === 0) return undefined;
  const { start, end, allDay, timezone, rrule } = seen;
  // Exdates sent unchanged move along with the event.
  const { exdates: sent } = times;
  const isUnchanged = sent && skipInvalid(seen, () => areSameExdates(seen, sent));
  const exdates = isUnchanged ? undefined : sent;
  const schedule = toSchedule({ start, end, allDay, timezone, rrule, ...times, exdates }, seen);
  const removed = {
    cancelled: exdates ? 0 : seen.exdates.length - schedule.exdates.length,
    changed: seen.overrides.length - schedule.overrides.length,
  };
  return { schedule, removed };
};

/** Returns the event with the edit of an occurrence. If that moves, those who answered to it are asked again. */
const withEditedOccurrence = (seen: StoredEvent, { occurrence }: EventEdit): StoredEvent => {
  if (!occurrence) return seen;
  const { recurrenceId, edit } = occurrence;
  const edited = { ...seen, ...editOccurrence(seen, recurrenceId, edit) };
  if (edit === 'cancel' || isSameTimeAt(seen, edited, recurrenceId)) return edited;
  return { ...edited, attendees: resetAnswersAt(seen.attendees, recurrenceId) };
};

/**
 * Applies an edit to an event, with the attendees that it gives the event. If the time changes, all responses are reset;
 * exceptions move along, and those without an occurrence are removed.
 * @throws AppError VALIDATION_ERROR for the schedule; CONFLICT beyond 50 modified or 200 canceled occurrences
 */
export const applyEdit = (
  seen: StoredEvent,
  edit: EventEdit,
  attendees: readonly Attendee[] = seen.attendees,
): EditedEvent => {
  const base = withEditedOccurrence({ ...seen, attendees }, edit);
  const { schedule, removed = noneRemoved } = nextSchedule(base, edit.times ?? {}) ?? {};
  const isMoved = schedule !== undefined && !isSameTime(seen, schedule);
  const event = omitUndefined({
    ...base,
    ...edit.fields,
    // Clear the fields that the new schedule lacks.
    ...(schedule && { rrule: undefined, lastStart: undefined, ...schedule }),
    attendees: isMoved ? resetResponses(base.attendees) : base.attendees,
  } as StoredEvent);
  const isRescheduled = isMoved || serializeExceptionTimes(seen) !== serializeExceptionTimes(event);
  return { event, isRescheduled, removed };
};
