import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredUser } from '../../../../shared/auth/user.ts';

/** Returns the audit subject of a user. */
export const auditSubject = (id: number): string => `user:${id}`;

/** What a caller adds to the entry of a change, or replaces. */
export type AuditedBeside = Pick<AuditedChange, 'action' | 'actor' | 'after'>;

/** Adds what the caller says to the entry of a change. */
export const withBeside = (
  change: AuditedChange,
  { after, ...replaced }: AuditedBeside,
): AuditedChange => ({
  ...change,
  ...replaced,
  ...((change.after ?? after) && { after: { ...change.after, ...after } }),
});

/** The audited fields of a user, without hashes, epochs and links. */
const auditedFields = [
  'email',
  'emailVerifiedAt',
  'pendingEmail',
  'emailProblem',
  'username',
  'name',
  'role',
  'extraPermissions',
  'status',
  'deletesAt',
  'avatar',
  'phone',
  'timezone',
  'notificationSettings',
] as const;

const none: Partial<StoredUser> = {};

/** Creates the audit entry of a new user, which says whether a password is set. */
export const auditCreated = (user: StoredUser): AuditedChange => {
  const { after } = changedFields<Partial<StoredUser>>(none, user, auditedFields);
  const password = user.passwordHash === undefined ? 'none' : 'set';
  return {
    subject: auditSubject(user.id),
    subjectName: user.name,
    after: { ...after, password },
  };
};

/** Creates the audit entry of a change, with the fields that differ. */
export const auditUpdated = (before: StoredUser, after: StoredUser): AuditedChange => ({
  subject: auditSubject(before.id),
  subjectName: before.name,
  ...changedFields(before, after, auditedFields),
});

/** Creates the audit entry of a deleted user, and of the receiver of the user's records. */
export const auditDeleted = (user: StoredUser, transferTo: number | undefined): AuditedChange => {
  const { before } = changedFields<Partial<StoredUser>>(user, none, auditedFields);
  return {
    subject: auditSubject(user.id),
    subjectName: user.name,
    before,
    after: transferTo === undefined ? undefined : { transferTo },
  };
};
