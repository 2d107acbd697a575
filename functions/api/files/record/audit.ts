import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredFile } from './file.ts';

/** Returns the audit log's name of a file. */
export const auditSubject = (id: number): string => `file:${id}`;

/** Returns the id of the file with this name in the audit log. */
export const parseSubjectId = (subject: string): number =>
  Number(subject.slice(auditSubject(0).length - 1));

/** The fields that are logged. */
const auditedFields = [
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

const none: Partial<StoredFile> = {};

/** Returns the fields that differ between two versions of a file, for the audit log. */
export const diffForAudit = (
  before: Partial<StoredFile> | undefined = none,
  updated: Partial<StoredFile> | undefined = none,
): AuditedChange => {
  const after = updated.status === 'removed' ? none : updated;
  const changed = changedFields<Partial<StoredFile>>(before, after, auditedFields);
  return {
    subject: auditSubject(before.id ?? after.id ?? 0),
    ...(before.id !== undefined && { before: changed.before }),
    ...(after.id !== undefined && { after: changed.after }),
  };
};
