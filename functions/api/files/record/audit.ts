import type { AuditedChange } from '../../../../shared/audit/audit-log.ts';
import { diffRecord } from '../../../../shared/audit/record-diff.ts';
import type { StoredFile } from './file.ts';

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

/** Returns the audit entry of a change of a file. One that is removed counts as deleted. */
export const diffForAudit = (
  before: StoredFile | undefined,
  after: StoredFile | undefined,
): AuditedChange =>
  diffRecord(
    'file',
    before,
    after?.status === 'removed' ? undefined : after,
    auditedFields,
    'name',
  );
