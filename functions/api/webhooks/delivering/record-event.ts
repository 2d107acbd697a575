import { transact } from '../../../../shared/db/transaction.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import type { WebhookEvent } from '../../../../shared/webhooks/events.ts';
import { correctWanted } from '../record/changes.ts';
import { createDelivery } from '../record/delivery.ts';
import { mayDeliver, mayHearAudit, readOwner } from '../record/owner.ts';
import { isActive, isAuditName, wants } from '../record/webhook.ts';
import { takeDeliveries, tellOfMore } from './allowance.ts';
import { wake } from './wake.ts';

/** How many deliveries of an event are made at once. */
const atOnce = 5;

/**
 * Makes the deliveries of an event: one for each active webhook of the user that wants it, however often the job runs, and the
 * job that delivers them, unless one is on its way. A user who may not be told is not, and what is beyond the allowance of the user
 * neither.
 */
export const recordEvent = async (userId: number, event: WebhookEvent): Promise<void> => {
  const owner = await readOwner(userId);
  if (!owner || getSetting('WEBHOOKS') === 'off' || !mayDeliver(owner.user)) return;
  if (isAuditName(event.type) && !(await mayHearAudit(owner.user))) return;
  if (owner.ended.length > 0) await correctWanted(owner);
  const wanting = owner.webhooks.filter((one) => isActive(one) && wants(one, event.type));
  if (wanting.length === 0) return;
  if (!(await takeDeliveries(userId, wanting.length))) return tellOfMore(userId);
  await forEachAtOnce(wanting, atOnce, async ({ id: hookId, restsUntil = 0 }) => {
    const { delivery, record, due } = createDelivery(hookId, event);
    // Refused: the job has made it before, and may have ended before it sent the other.
    await transact([{ write: record, refused: 'made' }, { write: due }]);
    // A job follows its rest anyway.
    if (restsUntil <= Date.now()) await wake({ userId, hookId }, delivery.id);
  });
};
