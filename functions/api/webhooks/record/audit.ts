import { type AuditedChange, changedFields } from '../../../../shared/audit/audit-log.ts';
import { getHost, isActive, type StoredWebhook } from './webhook.ts';

/** Of an address only the host, because its path can be a secret; never the secret. */
const toAudited = (webhook: StoredWebhook | undefined) =>
  webhook && {
    host: getHost(webhook),
    label: webhook.label ?? null,
    events: webhook.events,
    format: webhook.format,
    active: isActive(webhook),
    pausedBy: webhook.pausedBy ?? null,
  };

type Audited = NonNullable<ReturnType<typeof toAudited>>;

const fields = ['host', 'label', 'events', 'format', 'active', 'pausedBy'] as const;

/** Returns what the audit says of a webhook that is created, changed or deleted. */
export const audited = (
  before: StoredWebhook | undefined,
  after: StoredWebhook | undefined,
): AuditedChange => {
  const of = (after ?? before) as StoredWebhook;
  const none: Partial<Audited> = {};
  const changed = changedFields<Partial<Audited>>(
    toAudited(before) ?? none,
    toAudited(after) ?? none,
    fields,
  );
  const isMoved = before && after && before.url !== after.url && getHost(before) === getHost(after);
  return {
    subject: `webhook:${of.id}`,
    subjectName: of.label ?? getHost(of),
    ...(before && { before: changed.before }),
    ...(after && { after: { ...changed.after, ...(isMoved && { pathChanged: true }) } }),
  };
};
