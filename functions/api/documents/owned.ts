import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys } from '../../../shared/db/table.ts';
import { type Deadline, forEachId } from '../../../shared/lists/process-items.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import type { StoredDocument } from './document.ts';
import { find, next, untilDone, write } from './documents.ts';
import { remove } from './trash.ts';

const transferOwnership = (seen: StoredDocument, to: number): Promise<boolean> => {
  const sharedWith = seen.sharedWith.filter((userId) => userId !== to);
  return write(seen, next(seen, { authorId: to, sharedWith }), systemAudit('document.transfer'));
};

/**
 * Removes a removed author's document, or hands it to another user. What is handed to one who is removed in that very moment
 * is dealt with by the job that settles what that user leaves behind.
 */
const deleteOrTransferDocument = (
  id: number,
  authorId: number,
  to: number | undefined,
): Promise<true> =>
  untilDone(async () => {
    const [seen, [receiver]] = await Promise.all([
      find(id),
      to === undefined ? [undefined] : batchGet([keys.user(to)]),
    ]);
    if (seen?.authorId !== authorId) return true;
    if (to === undefined) return remove(seen, systemAudit('document.purge'));
    if (!receiver) throw new ReceiverRemoved();
    return (await transferOwnership(seen, to)) || undefined;
  });

/**
 * Removes a removed user's documents, those in the trash too, or hands them to another user. Says whether all are done.
 * @throws ReceiverRemoved
 */
const deleteOrTransferDocuments = async (
  authorId: number,
  { to, ...bound }: Deadline & Receiver,
): Promise<boolean> => {
  const partitions = [
    keys.documentById(`OF#${authorId}`, 0),
    keys.documentByAuthor('EVERYONE', authorId, 0),
    keys.trashedDocument(authorId, '', 0),
  ];
  for (const partition of partitions) {
    if (!(await forEachId(partition, (id) => deleteOrTransferDocument(id, authorId, to), bound)))
      return false;
  }
  return true;
};

/** Takes a removed user out of the readers of all documents that were shared with the user. Says whether all are done. */
const removeFromDocuments = (userId: number, bound: Deadline): Promise<boolean> =>
  forEachId(
    keys.documentById(`SHARED#${userId}`, 0),
    (id) =>
      untilDone(async () => {
        const seen = await find(id);
        if (!seen?.sharedWith.includes(userId)) return true;
        const sharedWith = seen.sharedWith.filter((reader) => reader !== userId);
        return (
          (await write(seen, next(seen, { sharedWith }), systemAudit('document.unshare'))) ||
          undefined
        );
      }),
    bound,
  );

/** A user's documents, and those shared with the user. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteOrTransferDocuments,
  leave: removeFromDocuments,
};
