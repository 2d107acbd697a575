import type { AuditedChange } from '../../../../shared/audit/audit-log.ts';
import type { StoredUpload } from './upload.ts';

const prefix = 'upload:';

/** Returns the upload id of an audit subject. */
export const parseUploadSubject = (subject: string): string => subject.slice(prefix.length);

const describe = (upload: StoredUpload | undefined) =>
  upload && { files: upload.objects, fileBytes: upload.bytes };

/** Describes the change of an upload for the audit log: how many objects it has, and their bytes. Their names are content. */
export const auditUpload = (
  before: StoredUpload | undefined,
  after: StoredUpload | undefined,
): AuditedChange => ({
  subject: `${prefix}${(after ?? before)?.id}`,
  before: describe(before),
  after: describe(after),
});
