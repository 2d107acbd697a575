import { conditionalDelete, conditionalUpdate } from '../../../../shared/db/conditional-write.ts';
import { enqueueOrThrow } from '../../../../shared/jobs/queue.ts';
import { webhookDelivery } from '../../../../shared/webhooks/jobs.ts';
import { webhookKeys } from '../../../../shared/webhooks/keys.ts';

/** How long a job counts as being on its way (ms): longer than it is ever put off. One that got lost delays others as long. */
const onItsWayMs = 5 * 60_000;

/** A webhook, as jobs name it. */
export interface JobWebhook {
  readonly userId: number;
  readonly hookId: number;
}

/**
 * Marks that a job of a webhook is on its way. Returns false if one is already, unless it was marked `by` the same: whoever died
 * after the mark sends its job then.
 */
export const markJob = async (hookId: number, by: string): Promise<boolean> => {
  const now = Date.now();
  const { written } = await conditionalUpdate({
    Key: webhookKeys.job.at({ hookId }),
    UpdateExpression: 'SET pendingUntil = :until, markedBy = :by, #ttl = :ttl',
    ConditionExpression: 'attribute_not_exists(pk) OR pendingUntil <= :now OR markedBy = :by',
    ExpressionAttributeNames: { '#ttl': 'ttl' },
    ExpressionAttributeValues: {
      ':until': now + onItsWayMs,
      ':by': by,
      ':ttl': Math.ceil((now + 2 * onItsWayMs) / 1_000),
      ':now': now,
    },
  });
  return written;
};

/** Forgets the mark, before the job looks for what is due: what becomes due later takes another job. */
export const forgetJob = async (hookId: number): Promise<void> => {
  await conditionalDelete({
    Key: webhookKeys.job.at({ hookId }),
    ConditionExpression: 'attribute_exists(pk)',
  });
};

/** Sends a job that delivers what is due of a webhook, unless one is on its way already. */
export const wake = async (webhook: JobWebhook, by: string, delaySeconds = 0): Promise<void> => {
  if (!(await markJob(webhook.hookId, by))) return;
  await enqueueOrThrow(webhookDelivery, webhook, { delaySeconds });
};
