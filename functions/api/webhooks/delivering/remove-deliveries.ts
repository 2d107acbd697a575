import { batchDelete } from '../../../../shared/db/batch-delete.ts';
import type { Key } from '../../../../shared/db/key.ts';
import { partitionQuery } from '../../../../shared/db/query.ts';
import { enqueueOrThrow } from '../../../../shared/jobs/queue.ts';
import { type Bound, processItems } from '../../../../shared/lists/process-items.ts';
import { webhookRemoval } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';

/** How long one job works (ms). */
const budgetMs = 20_000;

/** Deletes all deliveries of a webhook, within a bound. Returns whether none is left. */
export const deleteDeliveries = async (hookId: number, bound: Bound): Promise<boolean> => {
  let isDeleted = true;
  const isAtEnd = await processItems(
    partitionQuery(webhookKeys.delivery.partition({ hookId }), false),
    async (items) => {
      isDeleted = (await batchDelete(items as object as readonly Key[])) && isDeleted;
    },
    bound,
  );
  return isAtEnd && isDeleted;
};

/** Deletes the deliveries of a deleted webhook, in several jobs if need be. */
export const removeDeliveries = async (hookId: number): Promise<void> => {
  if (await deleteDeliveries(hookId, { deadline: Date.now() + budgetMs })) return;
  await enqueueOrThrow(webhookRemoval, { hookId });
};
