import { inDirection } from '../../../../shared/db/query.ts';
import { transact } from '../../../../shared/db/transaction.ts';
import { withLease } from '../../../../shared/jobs/lease.ts';
import { enqueueOrThrow } from '../../../../shared/jobs/queue.ts';
import { processItemsFrom } from '../../../../shared/lists/process-items.ts';
import { forEachAtOnce } from '../../../../shared/runtime/at-once.ts';
import { webhookDelivery, webhookRedelivery } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';
import { againSteps, deliveriesQuery } from '../record/again.ts';
import { parseDelivery } from '../record/delivery.ts';
import { readOne } from '../record/owner.ts';
import { isActive } from '../record/webhook.ts';
import { takeDeliveries } from './allowance.ts';

/** How long one job works (ms). */
const budgetMs = 10_000;

const atOnce = 5;

/**
 * Makes all due again that has failed, from the oldest delivery on, in several jobs if need be. Two jobs of one webhook make
 * nothing due twice. What is beyond the allowance of the user stays failed.
 */
export const redeliverFailed = async (
  userId: number,
  hookId: number,
  after: string | undefined,
): Promise<void> => {
  const found = await readOne(userId, hookId);
  if (!found || !isActive(found.webhook)) return;
  const from =
    after === undefined ? undefined : { ...webhookKeys.delivery.at({ hookId, id: after }) };
  let isOver = false;
  const result = await withLease(`webhook-again-${hookId}`, () =>
    processItemsFrom(
      inDirection(deliveriesQuery(hookId), true),
      from,
      async (items) => {
        const failed = items.map(parseDelivery).filter(({ status }) => status === 'failed');
        if (failed.length === 0 || isOver) return;
        if (!(await takeDeliveries(userId, failed.length))) {
          isOver = true;
          return;
        }
        await forEachAtOnce(failed, atOnce, (delivery) => transact(againSteps(delivery)));
      },
      { deadline: Date.now() + budgetMs },
    ),
  );
  if (!result) return;
  const last =
    result.isAtEnd || isOver ? undefined : webhookKeys.delivery.read(result.last as never)?.id;
  if (last !== undefined) await enqueueOrThrow(webhookRedelivery, { userId, hookId, after: last });
  await enqueueOrThrow(webhookDelivery, { userId, hookId });
};
