import { startAt } from '../../../shared/db/query.ts';
import { deleteItemWrite, transact } from '../../../shared/db/transaction.ts';
import { type Bound, processItems } from '../../../shared/lists/process-items.ts';
import type { OwnedRecords } from '../../../shared/users/owned-records.ts';
import { webhookKeys } from '../../../shared/webhooks/keys.ts';
import { deleteDeliveries } from './delivering/remove-deliveries.ts';
import { parseWebhook } from './record/webhook.ts';

/** Deletes a removed user's webhooks, each with its deliveries. Returns whether all are done. */
const deleteAll = async (userId: number, bound: Bound): Promise<boolean> => {
  let isDone = true;
  const isAtEnd = await processItems(
    startAt(webhookKeys.hook.prefix({ userId })),
    async (items) => {
      for (const { id } of items.map(parseWebhook)) {
        // The webhook goes last, so that the next attempt finds what is left.
        if (!(await deleteDeliveries(id, bound))) isDone = false;
        else {
          await transact([
            deleteItemWrite(webhookKeys.hook.at({ userId, id })),
            deleteItemWrite(webhookKeys.ofAudit.at({ userId, id })),
          ]);
        }
      }
    },
    bound,
  );
  return isAtEnd && isDone;
};

/** A user's webhooks, which are never transferred. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteAll,
  mustDelete: ({ sk }) => String(sk).startsWith('WEBHOOK#'),
};
