import { batchGet } from '../../../shared/db/dynamodb.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { type Deadline, processItems } from '../../../shared/lists/process-items.ts';
import type { OwnedRecords } from '../../../shared/users/owned-records.ts';
import { releaseWrites } from './content.ts';
import { cancelDelivery, listPendingDeliveries } from './delivery.ts';
import { messageKeys } from './keys.ts';
import { queries, removeFromConversation } from './mailbox.ts';
import { type MailboxCopy, type StoredMessage, untilDone } from './message.ts';

const deleteCopy = async (
  userId: number,
  copy: MailboxCopy,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [count] = await batchGet([messageKeys.copyCount.at({ id: copy.id })]);
  const failed = await transact<string>({
    copy: removeFromConversation(userId, copy),
    ...releaseWrites(message, (count?.['copies'] as number | undefined) ?? 1),
  });
  return !failed || failed['copy'] ? true : undefined;
};

type Item = Record<string, unknown>;

const forEachMessage =
  (work: (message: StoredMessage, item: Item) => Promise<true | undefined>) =>
  async (items: readonly Item[]): Promise<void> => {
    const messages = await batchGet(
      items.map(({ id }) => messageKeys.record.at({ id: id as number })),
    );
    await Promise.all(
      items.map((item, at) => {
        const message = messages[at] as unknown as StoredMessage | undefined;
        return message && untilDone(() => work(message, item));
      }),
    );
  };

/**
 * Deletes all deliveries and copies of a deleted user, and messages without other copies. The rest of the partition is
 * deleted with the user. Returns whether all are done.
 */
const deleteUserMessages = async (userId: number, deadline: Deadline): Promise<boolean> => {
  const cancelDeliveries = forEachMessage((message) => cancelDelivery(userId, message));
  // Deliveries first: one delivered concurrently is a copy by the time copies are processed.
  if (!(await processItems(listPendingDeliveries(userId), cancelDeliveries, deadline)))
    return false;
  const deleteCopies = forEachMessage((message, item) =>
    deleteCopy(userId, item as unknown as MailboxCopy, message),
  );
  return processItems(queries.copies(userId), deleteCopies, deadline);
};

/** A user's messages, which are never transferred. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteUserMessages,
  mustDelete: ({ sk }) => /^(DELIVERY|COPY)#/.test(String(sk)),
};
