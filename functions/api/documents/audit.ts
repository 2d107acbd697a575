import { type AuditedChange, changedFields } from '../../../shared/audit/audit-log.ts';
import type { StoredDocument } from './document.ts';

/** Returns the audit log's name of a document. */
export const auditSubject = (id: number): string => `document:${id}`;

/** Returns the id of the document with this name in the audit log. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** The fields that are logged. Of the content only the fact of its change is. */
const auditedFields = [
  'title',
  'type',
  'folder',
  'tags',
  'size',
  'visibility',
  'sharedWith',
  'authorId',
  'deletedAt',
] as const;

const none: Partial<StoredDocument> = {};

/** Returns the fields that differ between two versions of a document, for the audit log. */
export const diffForAudit = (
  before: Partial<StoredDocument> | undefined = none,
  after: Partial<StoredDocument> | undefined = none,
): AuditedChange => {
  const changed = changedFields<Partial<StoredDocument>>(before, after, auditedFields);
  const isContentChanged =
    before.id !== undefined && after.id !== undefined && before.texts?.id !== after.texts?.id;
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && {
      after: { ...changed.after, ...(isContentChanged && { content: 'changed' }) },
    }),
  };
};
