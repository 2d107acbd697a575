import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredFile } from './file.ts';

/** What the audit calls a file. */
export const auditSubject = (id: number): string => `file:${id}`;

/** The id of the file that the audit calls so. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

const shown = [
  'name',
  'type',
  'mimeType',
  'size',
  'folderId',
  'visibility',
  'sharedWith',
  'isFavorite',
  'status',
  'checksum',
  'ownerId',
] as const;

const nothing: Partial<StoredFile> = {};

/** What the audit keeps of a file that goes from `before` to `after`: the fields that differ. */
export const diffForAudit = (
  before: Partial<StoredFile> | undefined = nothing,
  made: Partial<StoredFile> | undefined = nothing,
): AuditedChange => {
  // To everybody it is gone.
  const after = made.status === 'removed' ? nothing : made;
  const changed = changedFields<Partial<StoredFile>>(before, after, shown);
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && { after: changed.after }),
  };
};
