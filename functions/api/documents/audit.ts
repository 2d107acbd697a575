import { type AuditedChange, changedFields } from '../../../shared/audit/audit-log.ts';
import type { StoredDocument } from './document.ts';

/** What the audit calls a document. */
export const auditSubject = (id: number): string => `document:${id}`;

/** The id of the document that the audit calls so. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** What the audit shows of a document; of its content, that it changed. */
const shown = [
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

const nothing: Partial<StoredDocument> = {};

/** What the audit keeps of a document that goes from `before` to `after`: the fields that differ. */
export const diffForAudit = (
  before: Partial<StoredDocument> | undefined = nothing,
  after: Partial<StoredDocument> | undefined = nothing,
): AuditedChange => {
  const changed = changedFields<Partial<StoredDocument>>(before, after, shown);
  const isRewritten =
    before.id !== undefined && after.id !== undefined && before.texts?.id !== after.texts?.id;
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && {
      after: { ...changed.after, ...(isRewritten && { content: 'changed' }) },
    }),
  };
};
