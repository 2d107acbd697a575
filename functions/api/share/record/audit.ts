import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import { optionNames } from './options.ts';
import { hasPassword, type StoredShare } from './share.ts';

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

const passwordState = (share: StoredShare) => (hasPassword(share) ? 'set' : 'none');

/** Describes a change of what opens a share: its password, or the key of a sealed one. */
const describeLock = (before: StoredShare, after: StoredShare) => {
  if (before.password?.id === after.password?.id) return {};
  if (after.sealed) return { after: { key: 'changed' } };
  return {
    before: { password: passwordState(before) },
    after: { password: after.password ? 'changed' : 'none' },
  };
};

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
      ...(share.sealed && { sealed: true }),
    },
  };
};

/** Describes an update for the audit log: changed fields, and whether the password or content changed. */
export const auditUpdated = (before: StoredShare, after: StoredShare): AuditedChange => {
  const changed = changedFields(before, after, auditedFields);
  const lock = describeLock(before, after);
  const isContentChanged = before.texts?.id !== after.texts?.id;
  const areFilesChanged = before.files?.ref.id !== after.files?.ref.id;
  return {
    ...auditedShare(after),
    before: {
      ...changed.before,
      ...(areFilesChanged && describeFiles(before)),
      ...lock.before,
    },
    after: {
      ...changed.after,
      ...(areFilesChanged && describeFiles(after)),
      ...lock.after,
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
