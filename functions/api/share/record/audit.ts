import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredShare } from './share.ts';

/** What the audit calls a share. */
export const auditSubject = (id: string): string => `share:${id}`;

/** The id of the share that the audit calls so. */
export const parseSubjectId = (subject: string): string => subject.slice(auditSubject('').length);

/** All that the audit may show of a share: no content, no hash of its password. */
const shown = [
  'ownerId',
  'language',
  'title',
  'description',
  'viewLimit',
  'expiresAt',
  'takenDownAt',
  'reports',
] as const;

const nothing: Partial<StoredShare> = {};

const isProtected = ({ password }: StoredShare) => (password === undefined ? 'none' : 'set');

/** What the audit keeps of a new share. */
export const auditCreated = (share: StoredShare): AuditedChange => {
  const { after } = changedFields<Partial<StoredShare>>(nothing, share, shown);
  return { subject: auditSubject(share.id), after: { ...after, password: isProtected(share) } };
};

/** What the audit keeps of a change: the fields that differ, and that password or content are others. */
export const auditUpdated = (before: StoredShare, after: StoredShare): AuditedChange => {
  const { before: was, after: is } = changedFields(before, after, shown);
  const isOtherPassword = before.password?.id !== after.password?.id;
  const isOtherContent = before.texts?.id !== after.texts?.id;
  return {
    subject: auditSubject(after.id),
    before: { ...was, ...(isOtherPassword && { password: isProtected(before) }) },
    after: {
      ...is,
      ...(isOtherPassword && { password: after.password ? 'changed' : 'none' }),
      ...(isOtherContent && { content: 'changed' }),
    },
  };
};

/** What the audit keeps of a share that is removed. */
export const auditDeleted = (share: StoredShare): AuditedChange => {
  const { before } = changedFields<Partial<StoredShare>>(share, nothing, shown);
  return { subject: auditSubject(share.id), before };
};
