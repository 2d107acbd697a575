import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { createId } from '../../../../shared/db/ids.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import {
  canView,
  getTimeZone,
  notFound,
  type Schedule,
  type StoredEvent,
} from '../record/event.ts';
import { noneRemoved, type RemovedExceptions } from '../record/exceptions.ts';
import { exceptionTimes, type OccurrenceEdit, withOccurrence } from '../record/occurrence-edit.ts';
import { type GivenSchedule, isCancelled, isSameTime, toSchedule } from '../record/schedule.ts';
import { skipInvalid } from '../record/skip-invalid.ts';
import { find, next, untilDone, write } from '../record/store.ts';
import { countInvitations, resetResponses, toAttendees } from './attendees.ts';
import { notificationWrite } from './notify.ts';
import { readShown } from './shown.ts';

/** What its owner says of an event, beside when it happens and who comes. */
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

/** When it happens, as far as it is said. */
export type GivenTimes = Partial<GivenSchedule>;

/** What of an event is to be another: what is absent stays, what is `undefined` is taken away. */
export interface EventEdit {
  readonly fields: { readonly [F in keyof EventFields]?: EventFields[F] | undefined };
  readonly times: GivenTimes;
  readonly attendeeIds: readonly number[] | undefined;
  /** What is to be another of one occurrence, named by its start by the rule. */
  readonly occurrence?: { readonly recurrenceId: string; readonly edit: OccurrenceEdit };
}

/**
 * An event that the actor sees, to be shown: an own one, or one that the actor is invited to.
 * @throws AppError NOT_FOUND
 */
export const read = async ({ user }: Actor, id: number): Promise<StoredEvent> => {
  const [event] = await readShown(user.id, [id]);
  if (!event || !canView(user.id, event)) throw notFound();
  return event;
};

/**
 * An event of the actor's.
 * @throws AppError NOT_FOUND
 */
export const findOwn = async ({ user }: Actor, id: number): Promise<StoredEvent> => {
  const event = await find(id);
  if (event?.ownerId !== user.id) throw notFound();
  return event;
};

const omit = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

/**
 * Stores an event of the actor's, and has those invited told. Of what recurs, it starts with the first occurrence of the
 * rule. One whose owner is removed meanwhile is removed by the job that settles what that user leaves behind.
 * @throws AppError VALIDATION_ERROR about when it happens, or `attendees`; RATE_LIMITED that names those who were invited
 *   too often
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
    const event = omit({
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
    const notice = notificationWrite(event, ownerId, [{ what: 'invited', userIds }]);
    // Two ids of one millisecond may be equal: another one then.
    return (await write(undefined, event, audit, { notice })) ? event : undefined;
  });
};

/** When an event is to happen, and what of its exceptions that removes; `undefined` where nothing is said of it. */
const nextSchedule = (
  seen: StoredEvent,
  times: GivenTimes,
): { readonly schedule: Schedule; readonly removed: RemovedExceptions } | undefined => {
  if (Object.keys(times).length === 0) return undefined;
  const { start, end, allDay, timezone, rrule } = seen;
  // Sent as they were read, they are none of the change: they move along.
  const { exdates: sent } = times;
  const areSame = sent && skipInvalid(seen, () => isCancelled(seen, sent));
  const exdates = areSame ? undefined : sent;
  const schedule = toSchedule({ start, end, allDay, timezone, rrule, ...times, exdates }, seen);
  const removed = {
    cancelled: exdates ? 0 : seen.exdates.length - schedule.exdates.length,
    changed: seen.overrides.length - schedule.overrides.length,
  };
  return { schedule, removed };
};

/** Who is to be told what of a change. */
const getRecipients = (before: StoredEvent, after: StoredEvent, isMoved: boolean) => {
  const ids = (event: StoredEvent) => event.attendees.map(({ id }) => id);
  const [former, present] = [ids(before), ids(after)];
  const stayed = present.filter((id) => former.includes(id));
  return [
    { what: 'invited' as const, userIds: present.filter((id) => !former.includes(id)) },
    { what: 'uninvited' as const, userIds: former.filter((id) => !present.includes(id)) },
    { what: 'changed' as const, userIds: isMoved ? stayed : [] },
  ];
};

const withEdited = (seen: StoredEvent, { occurrence }: EventEdit): StoredEvent =>
  occurrence
    ? { ...seen, overrides: withOccurrence(seen, occurrence.recurrenceId, occurrence.edit) }
    : seen;

/**
 * Changes what is said of an event of the actor's: what `toEdit` makes of the event as it was seen. Where that moves it in
 * time, nobody has answered yet, and all are told; its exceptions move along, and those that are no occurrences any more
 * are removed.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT past 50 occurrences that differ; otherwise as `create`
 */
export const update = (
  actor: Actor,
  id: number,
  toEdit: (event: StoredEvent) => EventEdit,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<{ readonly event: StoredEvent; readonly removed: RemovedExceptions }> => {
  // Tried again, a change counts once for each who is invited by it.
  const counted = new Set<number>();
  return untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.version);
    const edit = toEdit(seen);
    const { fields, times, attendeeIds } = edit;
    const base = withEdited(seen, edit);
    const { schedule, removed = noneRemoved } = nextSchedule(base, times) ?? {};
    const invited = attendeeIds
      ? await toAttendees(attendeeIds, seen.ownerId, seen.attendees)
      : seen.attendees;
    const isMoved = schedule !== undefined && !isSameTime(seen, schedule);
    const changed = omit({
      ...base,
      ...fields,
      // What the new schedule lacks is to go.
      ...(schedule && { rrule: undefined, lastStart: undefined, ...schedule }),
      attendees: isMoved ? resetResponses(invited) : invited,
    } as StoredEvent);
    if (isSameRecord(seen, changed)) return { event: seen, removed };
    await countInvitations(
      seen.ownerId,
      invited.filter(({ id: of }) => !counted.has(of)),
      seen.attendees,
    );
    for (const { id: of } of invited) counted.add(of);
    const isRescheduled = isMoved || exceptionTimes(seen) !== exceptionTimes(changed);
    const isOther = isRescheduled || edit.occurrence !== undefined;
    const after = next(changed, { sequence: seen.sequence + Number(isOther) });
    const notice = notificationWrite(
      after,
      actor.user.id,
      getRecipients(seen, after, isRescheduled),
    );
    return (await write(seen, after, audit, { notice })) ? { event: after, removed } : undefined;
  });
};

/**
 * Removes an event of the actor's, and has those invited told.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED
 */
export const remove = async (
  actor: Actor,
  id: number,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<void> => {
  await untilDone(async () => {
    const seen = await findOwn(actor, id);
    assertVersion(ifMatch, seen.version);
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const notice = notificationWrite(seen, actor.user.id, [{ what: 'cancelled', userIds }]);
    return (await write(seen, undefined, audit, { notice })) || undefined;
  });
};
