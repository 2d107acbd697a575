import { update } from '../../../../functions/api/calendar/events/events.ts';
import type { OccurrenceEdit } from '../../../../functions/api/calendar/record/occurrence-edit.ts';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import type { Actor } from '../../../../shared/auth/actor.ts';

/** Records the changes of a model’s events. */
export const change = systemRecorder('event.test');

/** Updates or cancels one occurrence of an event. */
export const updateOne = (
  actor: Actor,
  id: number,
  start: string,
  edit: OccurrenceEdit | 'cancel',
) =>
  update(
    actor,
    { id, occurrenceStart: start },
    (_, recurrenceId) => ({ occurrence: { recurrenceId, edit } }),
    undefined,
    change,
  );
