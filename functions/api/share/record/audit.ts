import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import { optionNames } from './options.ts';
import type { StoredShare } from './share.ts';

/** Returns the subject of a share in the audit log. */
export const auditSubject = (id: string): string => `share:${id}`;

/** Returns the share id of an audit subject. */
export const parseSubjectId = (subject: string): string => subject.slice(auditSubject('').length);

/** Returns the subject and name of a share in the audit log. */
export const auditedShare = ({
  id,
  title,
}: Pick<StoredShare, 'id' | 'title'>): Pick<AuditedChange, 'subject' | 'subjectName'> => ({
  subject: auditSubject(id),
  ...(title !== undefined && { subjectName: title }),
});

/** The fields that the audit log shows: no content and no password hash. */
const auditedFields = [
  'ownerId',
  'language',
  ...optionNames,
  'expiresAt',
  'takenDownAt',
  'reports',
] as const;

const nothing: Partial<StoredShare> = {};

const passwordState = ({ password }: StoredShare) => (password === undefined ? 'none' : 'set');

/** How many files a share has, and their bytes: their names are content. */
const describeFiles = ({ files }: Partial<StoredShare>) => ({
  files: files?.count ?? 0,
  fileBytes: files?.bytes ?? 0,
});

/** Describes a new share for the audit log. */
export const auditCreated = (share: StoredShare): AuditedChange => {
  const { after } = changedFields<Partial<StoredShare>>(nothing, share, auditedFields);
  return {
    ...auditedShare(share),
    after: {
      ...after,
      ...(share.files && describeFiles(share)),
      password: passwordState(share),
    },
  };
};

/** Describes an update for the audit log: changed fields, and whether the password or content changed. */
export const auditUpdated = (before: StoredShare, after: StoredShare): AuditedChange => {
  const changed = changedFields(before, after, auditedFields);
  const isPasswordChanged = before.password?.id !== after.password?.id;
  const isContentChanged = before.texts?.id !== after.texts?.id;
  const areFilesChanged = before.files?.ref.id !== after.files?.ref.id;
  return {
    ...auditedShare(after),
    before: {
      ...changed.before,
      ...(areFilesChanged && describeFiles(before)),
      ...(isPasswordChanged && { password: passwordState(before) }),
    },
    after: {
      ...changed.after,
      ...(areFilesChanged && describeFiles(after)),
      ...(isPasswordChanged && { password: after.password ? 'changed' : 'none' }),
      ...(isContentChanged && { content: 'changed' }),
    },
  };
};

/** Describes a deleted share for the audit log. */
export const auditDeleted = (share: StoredShare): AuditedChange => {
  const { before } = changedFields<Partial<StoredShare>>(share, nothing, auditedFields);
  return {
    ...auditedShare(share),
    before: { ...before, ...(share.files && describeFiles(share)) },
  };
};
