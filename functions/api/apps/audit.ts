import type { StoredApp } from '../../../shared/auth/app.ts';

/** Returns what the audit log calls an app. */
export const auditSubject = ({ id, name }: StoredApp) => ({
  subject: `app:${id}`,
  subjectName: name,
});

/** Returns what the audit log shows of an app. */
export const toAudited = ({ userId, clientId, name, host, permissions, ceiling }: StoredApp) => ({
  userId,
  name,
  // The id of a client that registered itself is a token, which the log has no use for.
  client: clientId.startsWith('https:') ? clientId : null,
  host,
  permissions,
  ...ceiling,
});
