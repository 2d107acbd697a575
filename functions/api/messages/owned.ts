import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { type Deadline, processItems } from '../../../shared/lists/process-items.ts';
import type { OwnedRecords } from '../../../shared/users/owned-records.ts';
import { releaseMessage } from './content.ts';
import { cancelDelivery, listPendingDeliveries } from './delivery.ts';
import { queries, removeFromConversation } from './mailbox.ts';
import { type MailboxCopy, type StoredMessage, untilDone } from './message.ts';

const deleteCopy = async (
  userId: number,
  copy: MailboxCopy,
  message: StoredMessage,
): Promise<true | undefined> => {
  const [count] = await batchGet([keys.messageCopies(copy.id)]);
  const failed = await transact<string>({
    copy: removeFromConversation(userId, copy),
    ...releaseMessage(message, (count?.['copies'] as number | undefined) ?? 1),
  });
  return !failed || failed['copy'] ? true : undefined;
};

type Item = Record<string, unknown>;

const forMessages =
  (work: (message: StoredMessage, item: Item) => Promise<true | undefined>) =>
  async (items: readonly Item[]): Promise<void> => {
    const messages = await batchGet(items.map(({ id }) => keys.message(id as number)));
    await Promise.all(
      items.map((item, at) => {
        const message = messages[at] as unknown as StoredMessage | undefined;
        return message && untilDone(() => work(message, item));
      }),
    );
  };

/**
 * Has a removed user hold no message any more, neither one on its way nor a copy; what nobody holds goes. What else the
 * user's partition has of messages is left to who removes it. Says whether all are done.
 */
const deleteUserMessages = async (userId: number, bound: Deadline): Promise<boolean> => {
  const dropWaiting = forMessages((message) => cancelDelivery(userId, message));
  // These first: what a request still delivers is a copy by the time that copies are looked at.
  if (!(await processItems(listPendingDeliveries(userId), dropWaiting, bound))) return false;
  const dropCopies = forMessages((message, item) =>
    deleteCopy(userId, item as unknown as MailboxCopy, message),
  );
  return processItems(queries.copies(userId), dropCopies, bound);
};

/** The messages that a user holds; nobody gets them. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteUserMessages,
  mustDelete: ({ sk }) => /^(DELIVERY|COPY)#/.test(String(sk)),
};
