import type { AuditedChange } from '../../../shared/audit/audit-log.ts';
import { diffRecord } from '../../../shared/audit/record-diff.ts';
import type { StoredDocument } from './document.ts';

/** The fields that are logged. Of the content only the fact of its change is. */
const auditedFields = [
  'title',
  'type',
  'folder',
  'tags',
  'size',
  'visibility',
  'everyoneRole',
  'sharedWith',
  'editors',
  'authorId',
  'deletedAt',
] as const;

/** Returns the audit entry of a change of a document. */
export const diffForAudit = (
  before: StoredDocument | undefined,
  after: StoredDocument | undefined,
): AuditedChange => {
  const change = diffRecord('document', before, after, auditedFields, 'title');
  const isContentChanged = before && after && before.texts?.id !== after.texts?.id;
  return isContentChanged ? { ...change, after: { ...change.after, content: 'changed' } } : change;
};
