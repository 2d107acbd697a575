import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredEvent } from './event.ts';

/** Returns the audit subject of an event. */
export const auditSubject = (id: number): string => `event:${id}`;

/** Returns the event id in an audit subject. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** The audited fields of an event. */
const auditedFields = [
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

const noFields: Partial<StoredEvent> = {};

/** Returns the audited fields that differ between two versions of an event. */
export const diffForAudit = (
  before: Partial<StoredEvent> | undefined = noFields,
  after: Partial<StoredEvent> | undefined = noFields,
): AuditedChange => {
  const changed = changedFields<Partial<StoredEvent>>(before, after, auditedFields);
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && { after: changed.after }),
  };
};
