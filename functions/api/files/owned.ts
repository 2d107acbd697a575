import { systemAudit } from '../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { type Key, keys } from '../../../shared/db/table.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { partitionQuery } from '../../../shared/lists/list-partitions.ts';
import { countItems } from '../../../shared/lists/pagination.ts';
import { type Deadline, forEachId } from '../../../shared/lists/process-items.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import { userExists } from '../../../shared/users/person.ts';
import { deletionWrite } from './delete.ts';
import { isFolder, type StoredFile } from './record/file.ts';
import { find, nextFile, toFile, untilDone, write } from './record/files.ts';
import {
  type FolderTree,
  maxDepth,
  mergeFolders,
  putTree,
  takeTree,
  toTree,
} from './record/folders.ts';

/**
 * Puts a removed user's folders among those of another, as they are; what would be too many is left out, and what lies in it
 * will lie in none. Nothing happens where the other is removed by now.
 */
const transferFolders = (from: number, to: number): Promise<true> =>
  untilDone(async () => {
    const [item, own] = await batchGet([keys.fileFolders(from), keys.fileFolders(to)]);
    if (!item) return true;
    const [theirs, ours] = [toTree(item), toTree(own)];
    const failed = await transact({
      receiver: userExists(to),
      taken: takeTree(from, theirs),
      tree: putTree(to, ours, mergeFolders(ours, theirs)),
    });
    return failed && !failed.receiver ? undefined : true;
  });

/** A file as it is of another owner; `undefined` for a folder that found no room among that one's. */
const handedOver = (
  seen: StoredFile,
  to: number,
  { folders }: FolderTree,
): StoredFile | undefined => {
  const own = isFolder(seen) ? folders[seen.id] : undefined;
  if (isFolder(seen) && !own) return undefined;
  const { folderId } = seen;
  return nextFile(seen, {
    ownerId: to,
    sharedWith: seen.sharedWith.filter((userId) => userId !== to),
    folderId: folderId !== undefined && folders[folderId] ? folderId : undefined,
    name: own?.name ?? seen.name,
    isFavorite: false,
  });
};

/**
 * Removes a removed owner's file, or hands it to another user. What is handed to one who is removed in that very moment is
 * dealt with by the job that settles what that user leaves behind. A folder is not removed before what lies in it.
 */
const deleteOrTransferFile = (id: number, ownerId: number, to: number | undefined): Promise<true> =>
  untilDone(async () => {
    const [item, children, receiver, folders] = await batchGet([
      keys.file(id),
      keys.folderChildren(id),
      ...(to === undefined ? [] : [keys.user(to), keys.fileFolders(to)]),
    ]);
    const seen = toFile(item);
    if (seen?.ownerId !== ownerId) return true;
    if (to !== undefined && !receiver) throw new ReceiverRemoved();
    const isKept = seen.status === 'ready' && to !== undefined;
    const after = isKept ? handedOver(seen, to, toTree(folders)) : undefined;
    if (after) return (await write(seen, after, systemAudit('file.transfer'))) || undefined;
    if (Number(children?.['count'] ?? 0) > 0) return true;
    return (
      (await write(seen, undefined, systemAudit('file.purge'), deletionWrite(seen))) || undefined
    );
  });

const isEmpty = async ({ pk }: Key): Promise<boolean> =>
  (await countItems(partitionQuery({ pk }, true), 1)) === 0;

/**
 * Removes a removed user's files with their objects, or hands them to another user, in their folders and whatever that one's
 * quota. What is being uploaded is given up. Says whether all is done.
 * @throws ReceiverRemoved
 */
const deleteOrTransferFiles = async (
  ownerId: number,
  { to, former, ...bound }: Deadline & Receiver,
): Promise<boolean> => {
  if (to !== undefined) {
    // The folders that a former receiver was given already lead to the files that are still on their way.
    for (const from of [...former, ownerId]) await transferFolders(from, to);
  }
  const clear = (id: number) => deleteOrTransferFile(id, ownerId, to);
  const own = keys.fileById(`OF#${ownerId}`, 0);
  for (const partition of [keys.fileUpload(ownerId, 0), keys.publicFile(ownerId, 0)]) {
    if (!(await forEachId(partition, clear, bound))) return false;
  }
  // Each round empties the folders that the next one removes.
  for (let round = 0; round <= maxDepth; round++) {
    if (!(await forEachId(own, clear, bound))) return false;
    if (await isEmpty(own)) return true;
  }
  return false;
};

/** Takes a removed user out of the readers of all files that were shared with the user. Says whether all are done. */
const removeFromFiles = (userId: number, bound: Deadline): Promise<boolean> =>
  forEachId(
    keys.fileById(`SHARED#${userId}`, 0),
    (id) =>
      untilDone(async () => {
        const seen = await find(id);
        if (!seen?.sharedWith.includes(userId)) return true;
        const sharedWith = seen.sharedWith.filter((reader) => reader !== userId);
        const after = nextFile(seen, { sharedWith });
        return (await write(seen, after, systemAudit('file.unshare'))) || undefined;
      }),
    bound,
  );

/** A user's files and folders, and those shared with the user. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteOrTransferFiles,
  leave: removeFromFiles,
};
