import type { AuditEntry } from '../../../shared/audit/audit-log.ts';
import { createEventId, type WebhookEvent } from '../../../shared/webhooks/events.ts';
import type { AuditEventData } from '../../../shared/webhooks/payloads.ts';

/**
 * The fields whose values leave the service: roles, rights, states, limits, times and ids of users. Of all others only the name
 * does, because a name, a title, a reason or an address may be in them.
 */
const shownFields: ReadonlySet<string> = new Set([
  'role',
  'status',
  'permissions',
  'extraPermissions',
  'secondFactors',
  'factor',
  'method',
  'audience',
  'visibility',
  'viewLimit',
  'expiresAt',
  'endedAt',
  'endedBy',
  'takenDownAt',
  'decision',
  'ownerId',
  'authorId',
  'userId',
  'sharedWith',
  'readers',
  'recipients',
]);

type Fields = Readonly<Record<string, unknown>>;

/** Whether a value has the form of ids, times and names of the service’s own: no sentence and no address has. */
const isPlain = (value: unknown): boolean =>
  typeof value === 'string'
    ? /^[\w:*.-]{0,64}$/.test(value)
    : value === null || typeof value === 'number' || typeof value === 'boolean';

const show = (fields: Fields = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => shownFields.has(name) && [value].flat().every(isPlain),
    ),
  );

/** Returns an audit entry as an event: no name of a subject, no address, and of its fields what `shownFields` says. */
export const toAuditEvent = (entry: AuditEntry): WebhookEvent => {
  const { id, action, at, subject, actorId, actorName, token, via, requestId } = entry;
  const { before = {}, after = {} } = entry;
  const data: AuditEventData = {
    id,
    subject,
    actor: actorId === undefined ? null : { id: actorId, name: actorName ?? null },
    token: token ? { id: token.id } : null,
    tool: via?.tool ?? null,
    requestId,
    changed: [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(),
    before: show(before),
    after: show(after),
  };
  // The id of an entry is unique with its time.
  return { id: createEventId(`audit#${at}#${id}`), type: action, timestamp: at, data };
};
