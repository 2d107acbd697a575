import { isDeepStrictEqual } from 'node:util';
import type { AuditedChange } from '../../../../shared/audit/audit-log.ts';
import { diffRecord } from '../../../../shared/audit/record-diff.ts';
import { withoutAnswers } from './answers.ts';
import type { Attendee, StoredEvent } from './event.ts';

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

/** Leaves out the answers to single occurrences that stay as they are, which an entry has no room for. */
const withChangedAnswers = (
  event: StoredEvent | undefined,
  other: StoredEvent | undefined,
): StoredEvent | undefined => {
  const isSame = (one: Attendee) => {
    const same = other?.attendees.find(({ id }) => id === one.id);
    return !other || isDeepStrictEqual(one.answers, same?.answers);
  };
  return (
    event && {
      ...event,
      attendees: event.attendees.map((one) => (isSame(one) ? withoutAnswers(one) : one)),
    }
  );
};

/** Returns the audit entry of a change of an event. */
export const diffForAudit = (
  before: StoredEvent | undefined,
  after: StoredEvent | undefined,
): AuditedChange =>
  diffRecord(
    'event',
    withChangedAnswers(before, after),
    withChangedAnswers(after, before),
    auditedFields,
    'title',
  );
