import type { AuditRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';
import type { IfMatch } from '../../../../shared/http/etag.ts';
import { notFound, type StoredEvent } from '../record/event.ts';
import { getRecurrenceId, type OccurrenceEdit } from '../record/occurrence-edit.ts';
import { update } from './events.ts';

type Edit = OccurrenceEdit | 'cancel';

/**
 * Updates one occurrence of an event of the actor, identified by its start, by what `toEdit` returns for the current
 * version. Notifies the attendees if the time changes.
 * @throws AppError NOT_FOUND; PRECONDITION_FAILED; VALIDATION_ERROR for `start` or `end`; CONFLICT beyond 50 modified or 200
 *   canceled ones per event
 */
export const updateOccurrence = async (
  actor: Actor,
  id: number,
  occurrenceStart: string,
  toEdit: (event: StoredEvent, recurrenceId: string) => Edit | Promise<Edit>,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> => {
  const identify = (seen: StoredEvent): string => {
    const recurrenceId = getRecurrenceId(seen, occurrenceStart);
    if (recurrenceId === undefined) throw notFound();
    return recurrenceId;
  };
  const toEventEdit = async (seen: StoredEvent) => {
    const recurrenceId = identify(seen);
    const occurrence = { recurrenceId, edit: await toEdit(seen, recurrenceId) };
    return { fields: {}, times: {}, attendeeIds: undefined, occurrence };
  };
  return (await update(actor, id, toEventEdit, ifMatch, audit, identify)).event;
};

/** Cancels one occurrence of an event of the actor, as `updateOccurrence` does. */
export const cancelOccurrence = (
  actor: Actor,
  id: number,
  occurrenceStart: string,
  ifMatch: IfMatch | undefined,
  audit: AuditRecorder,
): Promise<StoredEvent> =>
  updateOccurrence(actor, id, occurrenceStart, () => 'cancel', ifMatch, audit);
