import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/content/etag.ts';
import { canView, getTimeZone, notFound, type StoredEvent } from '../record/event.ts';
import { getRecurrenceId } from '../record/occurrence-edit.ts';
import { toSchedule } from '../record/schedule.ts';
import { find, next, retryOnConflict, write } from '../record/store.ts';
import {
  applyEdit,
  type EditedEvent,
  type EventEdit,
  type EventFields,
  type GivenTimes,
  omitUndefined,
} from './apply-edit.ts';
import { countInvitations, toAttendees } from './attendees.ts';
import { readWithCurrentNames } from './current-names.ts';
import { notificationWrite } from './notify.ts';

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
  recorder: ChangeRecorder,
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
  return retryOnConflict(async () => {
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
    return (await write(undefined, event, recorder, notification)) ? event : undefined;
  });
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

/** What is updated: an event, or one of its occurrences, identified by its start. */
export interface UpdateTarget<Start extends string | undefined> {
  readonly id: number;
  readonly occurrenceStart: Start;
}

/**
 * Returns the start according to the rule of the occurrence to update, if one is named.
 * @throws AppError NOT_FOUND
 */
const findTarget = <Start extends string | undefined>(
  event: StoredEvent,
  occurrenceStart: Start,
): Start => {
  if (occurrenceStart === undefined) return occurrenceStart;
  const recurrenceId = getRecurrenceId(event, occurrenceStart);
  if (recurrenceId === undefined) throw notFound();
  return recurrenceId as Start;
};

/**
 * Updates an event of the actor by what `toEdit` returns for its current version and the occurrence to update, if one is
 * named. Attendees are notified if the time changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; as `applyEdit`, and otherwise as `create`
 */
export const update = <Start extends string | undefined>(
  actor: Actor,
  { id, occurrenceStart }: UpdateTarget<Start>,
  toEdit: (event: StoredEvent, recurrenceId: Start) => EventEdit | Promise<EventEdit>,
  ifMatch: IfMatch | undefined,
  recorder: ChangeRecorder,
): Promise<Pick<EditedEvent, 'event' | 'removed'>> => {
  // A retry must not count the same invitation again.
  const counted = new Set<number>();
  return retryOnConflict(async () => {
    const seen = await findEditable(actor, id);
    const recurrenceId = findTarget(seen, occurrenceStart);
    assertVersion(ifMatch, seen.version);
    const edit = await toEdit(seen, recurrenceId);
    const { ownerId, attendees } = seen;
    const invited = edit.attendeeIds && (await toAttendees(edit.attendeeIds, ownerId, attendees));
    const { event: changed, isRescheduled, removed } = applyEdit(seen, edit, invited);
    if (isSameRecord(seen, changed)) return { event: seen, removed };
    const uncounted = changed.attendees.filter((one) => !counted.has(one.id));
    await countInvitations(ownerId, uncounted, attendees);
    for (const one of changed.attendees) counted.add(one.id);
    const needsSequence = isRescheduled || edit.occurrence !== undefined;
    const after = next(changed, { sequence: seen.sequence + Number(needsSequence) });
    const recipients = getRecipients(seen, after, isRescheduled);
    const notification = notificationWrite(after, actor.user, recipients);
    return (await write(seen, after, recorder, notification))
      ? { event: after, removed }
      : undefined;
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
  recorder: ChangeRecorder,
): Promise<void> => {
  await retryOnConflict(async () => {
    const seen = await findEditable(actor, id);
    assertVersion(ifMatch, seen.version);
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const notification = notificationWrite(seen, actor.user, [{ kind: 'cancelled', userIds }]);
    return (await write(seen, undefined, recorder, notification)) || undefined;
  });
};
