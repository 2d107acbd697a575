import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredEvent } from './event.ts';

/** What the audit calls an event. */
export const auditSubject = (id: number): string => `event:${id}`;

/** The id of the event that the audit calls so. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** What the audit shows of an event. */
const shown = [
  'title',
  'description',
  'type',
  'color',
  'location',
  'priority',
  'status',
  'allDay',
  'start',
  'end',
  'timezone',
  'rrule',
  'exdates',
  'overrides',
  'attendees',
  'reminders',
  'ownerId',
] as const;

const nothing: Partial<StoredEvent> = {};

/** What the audit keeps of an event that goes from `before` to `after`: the fields that differ. */
export const diffForAudit = (
  before: Partial<StoredEvent> | undefined = nothing,
  after: Partial<StoredEvent> | undefined = nothing,
): AuditedChange => {
  const changed = changedFields<Partial<StoredEvent>>(before, after, shown);
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && { after: changed.after }),
  };
};
