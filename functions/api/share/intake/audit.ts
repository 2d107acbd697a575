import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import type { StoredRequest } from './request.ts';

const prefix = 'request:';

/** Returns the request id of an audit subject. */
export const parseRequestSubject = (subject: string): string => subject.slice(prefix.length);

/** Returns the subject and name of a request in the audit log. */
export const auditedRequest = ({
  id,
  title,
}: StoredRequest): Pick<AuditedChange, 'subject' | 'subjectName'> => ({
  subject: `${prefix}${id}`,
  subjectName: title,
});

const auditedFields = [
  'ownerId',
  'title',
  'note',
  'submissions',
  'expiresAt',
  'closedAt',
  'takenDownAt',
  'reports',
] as const;

/** Describes the change of a request for the audit log: changed fields, and whether the password changed. */
export const auditRequest = (
  before: StoredRequest | undefined,
  after: StoredRequest | undefined,
): AuditedChange => {
  const former: Partial<StoredRequest> = before ?? {};
  const current: Partial<StoredRequest> = after ?? {};
  const changed = changedFields(former, current, auditedFields);
  const isPasswordChanged = former.password?.id !== current.password?.id;
  return {
    ...auditedRequest((after ?? before) as StoredRequest),
    before: {
      ...changed.before,
      ...(isPasswordChanged && { password: former.password ? 'set' : 'none' }),
    },
    after: {
      ...changed.after,
      ...(isPasswordChanged && { password: current.password ? 'changed' : 'none' }),
    },
  };
};
