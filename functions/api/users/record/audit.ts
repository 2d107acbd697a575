import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';

/** What the audit calls a user. */
export const auditSubject = (id: number): string => `user:${id}`;

/** The id of the user whom the audit calls so. */
export const parseSubjectId = (subject: string): number => Number(subject.split(':')[1]);

/** All that the audit may show of a user: no hash, no epoch, no link. */
const shown = [
  'email',
  'username',
  'name',
  'role',
  'extraPermissions',
  'status',
  'avatar',
  'phone',
  'timezone',
  'notifyNewSignIns',
] as const;

const nothing: Partial<StoredUser> = {};

/** What the audit keeps of a new user, and how the user gets in. */
export const auditCreated = (user: StoredUser): AuditedChange => {
  const { after } = changedFields<Partial<StoredUser>>(nothing, user, shown);
  const password = user.passwordHash === undefined ? 'none' : 'set';
  return { subject: auditSubject(user.id), after: { ...after, password } };
};

/** What the audit keeps of a change: the fields that differ. */
export const auditUpdated = (before: StoredUser, after: StoredUser): AuditedChange => ({
  subject: auditSubject(before.id),
  ...changedFields(before, after, shown),
});

/** What the audit keeps of a user who is removed, and who got what the user owned. */
export const auditDeleted = (user: StoredUser, transferTo: number | undefined): AuditedChange => {
  const { before } = changedFields<Partial<StoredUser>>(user, nothing, shown);
  return {
    subject: auditSubject(user.id),
    before,
    after: transferTo === undefined ? undefined : { transferTo },
  };
};
