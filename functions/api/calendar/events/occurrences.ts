import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import { maxExdates, notFound, type StoredEvent } from '../record/event.ts';
import {
  exceptionTimes,
  getRecurrenceId,
  type OccurrenceEdit,
  tooManyExceptionsError,
  withOccurrence,
} from '../record/occurrence-edit.ts';
import { next, untilDone, write } from '../record/store.ts';
import { findOwn } from './events.ts';
import { notificationWrite } from './notify.ts';

const change = (
  actor: Actor,
  id: number,
  named: string,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
  changed: (
    event: StoredEvent,
    recurrenceId: string,
  ) => Pick<StoredEvent, 'overrides'> & Partial<Pick<StoredEvent, 'exdates'>>,
): Promise<StoredEvent> =>
  untilDone(async () => {
    const seen = await findOwn(actor, id);
    const recurrenceId = getRecurrenceId(seen, named);
    if (recurrenceId === undefined) throw notFound();
    assertVersion(ifMatch, seen.version);
    const fields = changed(seen, recurrenceId);
    if (isSameRecord(seen, { ...seen, ...fields })) return seen;
    const after = next(seen, { ...fields, sequence: seen.sequence + 1 });
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const isElsewhere = exceptionTimes(seen) !== exceptionTimes(after);
    const notice = notificationWrite(after, actor.user.id, [
      { what: 'changed', userIds: isElsewhere ? userIds : [] },
    ]);
    return (await write(seen, after, audit, { notice })) ? after : undefined;
  });

/**
 * Changes one occurrence of an event of the actor's, named by its start by the rule, and has those invited told where it
 * is at another time. `toEdit` says what is to be another of the event as it was seen.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR about `start` or `end`; CONFLICT past 50 of an event
 */
export const updateOccurrence = (
  actor: Actor,
  id: number,
  named: string,
  toEdit: (event: StoredEvent, recurrenceId: string) => OccurrenceEdit,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> =>
  change(actor, id, named, ifMatch, audit, (event, recurrenceId) => ({
    overrides: withOccurrence(event, recurrenceId, toEdit(event, recurrenceId)),
  }));

/**
 * Cancels one occurrence of an event of the actor's, named by its start by the rule, and has those invited told.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT past 200 of an event
 */
export const cancelOccurrence = (
  actor: Actor,
  id: number,
  named: string,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> =>
  change(actor, id, named, ifMatch, audit, (event, recurrenceId) => {
    if (event.exdates.length >= maxExdates) throw tooManyExceptionsError(maxExdates, 'cancelled');
    return {
      exdates: [...event.exdates, recurrenceId].sort(),
      overrides: event.overrides.filter((one) => one.recurrenceId !== recurrenceId),
    };
  });
