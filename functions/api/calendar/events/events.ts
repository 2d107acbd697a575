import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import { resetAnswersAt } from '../record/answers.ts';
import {
  canView,
  getTimeZone,
  notFound,
  type Schedule,
  type StoredEvent,
} from '../record/event.ts';
import { noneRemoved, type RemovedExceptions } from '../record/exceptions.ts';
import {
  editOccurrence,
  isSameTimeAt,
  type OccurrenceEdit,
  serializeExceptionTimes,
} from '../record/occurrence-edit.ts';
import { areSameExdates, type GivenSchedule, isSameTime, toSchedule } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { find, next, untilDone, write } from '../record/store.ts';
import { countInvitations, resetResponses, toAttendees } from './attendees.ts';
import { readWithCurrentNames } from './current-names.ts';
import { notificationWrite } from './notify.ts';

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
  readonly fields: { readonly [F in keyof EventFields]?: EventFields[F] | undefined };
  readonly times: GivenTimes;
  readonly attendeeIds: readonly number[] | undefined;
  /** Changes to one occurrence, identified by its start according to the rule, or its cancellation. */
  readonly occurrence?: {
    readonly recurrenceId: string;
    readonly edit: OccurrenceEdit | 'cancel';
  };
}

/**
 * Returns an event that the actor owns or is invited to, with current names.
 * @throws AppError NOT_FOUND
 */
export const read = async ({ user }: Actor, id: number): Promise<StoredEvent> => {
  const [event] = await readWithCurrentNames(user.id, [id]);
  if (!event || !canView(user.id, event)) throw notFound();
  return event;
};

/**
 * Returns an event that the actor owns.
 * @throws AppError NOT_FOUND
 */
export const findEditable = async ({ user }: Actor, id: number): Promise<StoredEvent> => {
  const event = await find(id);
  if (event?.ownerId !== user.id) throw notFound();
  return event;
};

const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/**
 * Creates an event and notifies the attendees. A recurring event starts with the first occurrence of its rule. If the
 * owner is deleted concurrently, the job that reconciles that user deletes the event.
 * @throws AppError VALIDATION_ERROR for the schedule or `attendees`; RATE_LIMITED, listing users invited too often
 */
export const create = async (
  actor: Actor,
  fields: EventFields,
  times: GivenTimes & { readonly start: string },
  attendeeIds: readonly number[],
  audit: AuditRecorder,
): Promise<StoredEvent> => {
  const schedule = toSchedule({
    end: undefined,
    allDay: undefined,
    rrule: undefined,
    exdates: [],
    ...times,
    timezone: times.timezone ?? getTimeZone(actor),
  });
  const { id: ownerId } = actor.user;
  const attendees = await toAttendees(attendeeIds, ownerId, []);
  await countInvitations(ownerId, attendees, []);
  return untilDone(async () => {
    const now = new Date().toISOString();
    const event = omitUndefined({
      id: createId(),
      ownerId,
      ...fields,
      ...schedule,
      attendees,
      sequence: 0,
      createdAt: now,
      updatedAt: now,
      version: 1,
    }) as StoredEvent;
    const userIds = attendees.map(({ id }) => id);
    const notification = notificationWrite(event, actor.user, [{ kind: 'invited', userIds }]);
    // Ids created in the same millisecond can collide; a retry creates another one.
    return (await write(undefined, event, audit, notification)) ? event : undefined;
  });
};

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

/** Returns the users to notify of a change, by kind of notification. */
const getRecipients = (before: StoredEvent, after: StoredEvent, isMoved: boolean) => {
  const ids = (event: StoredEvent) => event.attendees.map(({ id }) => id);
  const [previous, current] = [ids(before), ids(after)];
  const stayed = current.filter((id) => previous.includes(id));
  return [
    { kind: 'invited' as const, userIds: current.filter((id) => !previous.includes(id)) },
    { kind: 'uninvited' as const, userIds: previous.filter((id) => !current.includes(id)) },
    { kind: 'changed' as const, userIds: isMoved ? stayed : [] },
  ];
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
 * Updates an event of the actor by what `toEdit` returns for its current version. If the time changes, all responses are
 * reset and the attendees notified; exceptions move along, and those without an occurrence are removed.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT beyond 50 modified occurrences; otherwise as `create`
 */
export const update = (
  actor: Actor,
  id: number,
  toEdit: (event: StoredEvent) => EventEdit | Promise<EventEdit>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
  assertExists: (event: StoredEvent) => void = () => {},
): Promise<{ readonly event: StoredEvent; readonly removed: RemovedExceptions }> => {
  // A retry must not count the same invitation again.
  const counted = new Set<number>();
  return untilDone(async () => {
    const seen = await findEditable(actor, id);
    assertExists(seen);
    assertVersion(ifMatch, seen.version);
    const edit = await toEdit(seen);
    const { fields, times, attendeeIds } = edit;
    const base = withEditedOccurrence(seen, edit);
    const { schedule, removed = noneRemoved } = nextSchedule(base, times) ?? {};
    const invited = attendeeIds
      ? await toAttendees(attendeeIds, seen.ownerId, base.attendees)
      : base.attendees;
    const isMoved = schedule !== undefined && !isSameTime(seen, schedule);
    const changed = omitUndefined({
      ...base,
      ...fields,
      // Clear the fields that the new schedule lacks.
      ...(schedule && { rrule: undefined, lastStart: undefined, ...schedule }),
      attendees: isMoved ? resetResponses(invited) : invited,
    } as StoredEvent);
    if (isSameRecord(seen, changed)) return { event: seen, removed };
    await countInvitations(
      seen.ownerId,
      invited.filter(({ id: userId }) => !counted.has(userId)),
      seen.attendees,
    );
    for (const { id: userId } of invited) counted.add(userId);
    const isRescheduled =
      isMoved || serializeExceptionTimes(seen) !== serializeExceptionTimes(changed);
    const needsSequence = isRescheduled || edit.occurrence !== undefined;
    const after = next(changed, { sequence: seen.sequence + Number(needsSequence) });
    const notification = notificationWrite(
      after,
      actor.user,
      getRecipients(seen, after, isRescheduled),
    );
    return (await write(seen, after, audit, notification)) ? { event: after, removed } : undefined;
  });
};

/**
 * Deletes an event of the actor and notifies the attendees.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await untilDone(async () => {
    const seen = await findEditable(actor, id);
    assertVersion(ifMatch, seen.version);
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const notification = notificationWrite(seen, actor.user, [{ kind: 'cancelled', userIds }]);
    return (await write(seen, undefined, audit, notification)) || undefined;
  });
};
