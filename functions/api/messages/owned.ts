import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { Item } from '../../../shared/db/item-parser.ts';
import { startAt } from '../../../shared/db/query.ts';
import type { Write } from '../../../shared/db/transaction.ts';
import { type Bound, processItems } from '../../../shared/lists/process-items.ts';
import type { OwnedRecords } from '../../../shared/users/owned-records.ts';
import { releaseOnce } from './content.ts';
import { removeStoredCopy } from './copy-writes.ts';
import { claimDelivery, listPendingDeliveries } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { parseMessage, retryOnConflict } from './message.ts';

/** Releases the messages of items, each by the write that removes the item. */
const releaseEach =
  (toWrite: (item: Item) => Write) =>
  async (items: readonly Item[]): Promise<void> => {
    const messages = await batchGet(
      items.map(({ id }) => messageKeys.record.at({ id: id as number })),
    );
    await Promise.all(
      items.map((item, at) => {
        const message = parseMessage(messages[at]);
        return message && retryOnConflict(() => releaseOnce(message, toWrite(item)));
      }),
    );
  };

/**
 * Deletes all deliveries and copies of a deleted user, and messages without other copies. The rest of the partition is
 * deleted with the user. Returns whether all are done.
 */
const deleteUserMessages = async (userId: number, bound: Bound): Promise<boolean> => {
  const deliveries = releaseEach(({ id }) => claimDelivery(userId, id as number));
  // Deliveries first: one delivered concurrently is a copy by the time copies are processed.
  if (!(await processItems(listPendingDeliveries(userId), deliveries, bound))) return false;
  const copies = releaseEach(removeStoredCopy);
  return processItems(startAt(messageKeys.conversation.prefix({ userId })), copies, bound);
};

/** A user's messages, which are never transferred. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteUserMessages,
  mustDelete: ({ sk }) => /^(UPDATES#DELIVERY|COPY)#/.test(String(sk)),
};
