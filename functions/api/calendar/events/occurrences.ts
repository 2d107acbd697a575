import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import { isSameRecord } from '../../../../shared/db/versioned-record.ts';
import { assertVersion, type IfMatch } from '../../../../shared/http/etag.ts';
import { maxExdates, notFound, type StoredEvent } from '../record/event.ts';
import {
  getRecurrenceId,
  type OccurrenceEdit,
  serializeExceptionTimes,
  tooManyExceptionsError,
  withOccurrence,
} from '../record/occurrence-edit.ts';
import { next, untilDone, write } from '../record/store.ts';
import { findEditable } from './events.ts';
import { notificationWrite } from './notify.ts';

type ExceptionFields = Pick<StoredEvent, 'overrides'> & Partial<Pick<StoredEvent, 'exdates'>>;

const updateExceptions = (
  actor: Actor,
  id: number,
  occurrenceStart: string,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
  toFields: (
    event: StoredEvent,
    recurrenceId: string,
  ) => ExceptionFields | Promise<ExceptionFields>,
): Promise<StoredEvent> =>
  untilDone(async () => {
    const seen = await findEditable(actor, id);
    const recurrenceId = getRecurrenceId(seen, occurrenceStart);
    if (recurrenceId === undefined) throw notFound();
    assertVersion(ifMatch, seen.version);
    const fields = await toFields(seen, recurrenceId);
    if (isSameRecord(seen, { ...seen, ...fields })) return seen;
    const after = next(seen, { ...fields, sequence: seen.sequence + 1 });
    const userIds = seen.attendees.map((attendee) => attendee.id);
    const isRescheduled = serializeExceptionTimes(seen) !== serializeExceptionTimes(after);
    const notification = notificationWrite(after, actor.user.id, [
      { kind: 'changed', userIds: isRescheduled ? userIds : [] },
    ]);
    return (await write(seen, after, audit, notification)) ? after : undefined;
  });

/**
 * Updates one occurrence of an event of the actor, identified by its start, by what `toEdit` returns for the current
 * version. Notifies the attendees if the time changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for `start` or `end`; CONFLICT beyond 50 per event
 */
export const updateOccurrence = (
  actor: Actor,
  id: number,
  occurrenceStart: string,
  toEdit: (event: StoredEvent, recurrenceId: string) => OccurrenceEdit | Promise<OccurrenceEdit>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> =>
  updateExceptions(actor, id, occurrenceStart, ifMatch, audit, async (event, recurrenceId) => ({
    overrides: withOccurrence(event, recurrenceId, await toEdit(event, recurrenceId)),
  }));

/**
 * Cancels one occurrence of an event of the actor, identified by its start, and notifies the attendees.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; CONFLICT beyond 200 per event
 */
export const cancelOccurrence = (
  actor: Actor,
  id: number,
  occurrenceStart: string,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> =>
  updateExceptions(actor, id, occurrenceStart, ifMatch, audit, (event, recurrenceId) => {
    if (event.exdates.length >= maxExdates) throw tooManyExceptionsError(maxExdates, 'canceled');
    return {
      exdates: [...event.exdates, recurrenceId].sort(),
      overrides: event.overrides.filter((override) => override.recurrenceId !== recurrenceId),
    };
  });
