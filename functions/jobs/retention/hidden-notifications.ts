import { batchDelete } from '../../../shared/db/batch-delete.ts';
import { conditionalUpdate } from '../../../shared/db/conditional-write.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { getFirstIdAt } from '../../../shared/db/ids.ts';
import type { Key } from '../../../shared/db/key.ts';
import { type Deadline, processItems } from '../../../shared/lists/process-items.ts';
import { forgetHidden, parseCounters } from '../../../shared/notifications/counters.ts';
import { notificationKeys } from '../../../shared/notifications/keys.ts';
import {
  getStoredFrom,
  isKept,
  parseNotification,
} from '../../../shared/notifications/notification.ts';

/** Each round forgets the counts of some 50 days. */
const maxRounds = 20;

const forgetCounts = async (userId: number): Promise<void> => {
  for (let round = 0; round < maxRounds; round++) {
    const [counters] = await batchGet([notificationKeys.counters.at({ userId })]);
    const update = forgetHidden(userId, parseCounters(counters));
    if (!update) return;
    await conditionalUpdate(update);
  }
};

/**
 * Deletes a user's notifications that NOTIFICATIONS_KEEP hides since it was lowered, and then their counts, of which none is
 * shown. Returns whether all are done. Safe to repeat.
 */
export const deleteHidden = async (userId: number, bound: Deadline): Promise<boolean> => {
  const { pk, sk } = notificationKeys.record.at({ userId, id: 0 });
  // Ids and times come from different clocks: those of the next day are looked at, too.
  const lastId = getFirstIdAt(Date.parse(getStoredFrom()) + 86_400_000);
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :oldest AND :newest',
    ExpressionAttributeValues: {
      ':pk': pk,
      ':oldest': sk,
      ':newest': notificationKeys.record.at({ userId, id: lastId }).sk,
    },
  };
  const isDone = await processItems(
    query,
    async (items) => {
      const hidden = items.filter((item) => !isKept(parseNotification(item)));
      const areDeleted = await batchDelete(hidden.map(({ pk, sk }) => ({ pk, sk }) as Key));
      if (!areDeleted) throw new Error('The table is too busy to delete notifications');
    },
    bound,
  );
  if (isDone) await forgetCounts(userId);
  return isDone;
};
