import type { AuditedChange } from '../../../../shared/audit/audit-log.ts';
import { diffRecord } from '../../../../shared/audit/record-diff.ts';
import type { StoredEvent } from './event.ts';

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

/** Returns the audit entry of a change of an event. */
export const diffForAudit = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): AuditedChange => diffRecord('event', before, after, auditedFields, 'title');
