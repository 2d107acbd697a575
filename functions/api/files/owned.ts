import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { countItems, type Partition, partitionQuery } from '../../../shared/db/query.ts';
import { transact } from '../../../shared/db/transaction.ts';
import { countEntries } from '../../../shared/lists/list-partitions.ts';
import { type Bound, forEachId } from '../../../shared/lists/process-items.ts';
import {
  type OwnedRecords,
  type Receiver,
  ReceiverRemoved,
} from '../../../shared/users/owned-records.ts';
import { userExistsCheck } from '../../../shared/users/person.ts';
import { isFolder, type StoredFile } from './record/file.ts';
import { nextFile, retryOnConflict, toFile, write } from './record/files.ts';
import {
  deleteTreeWrite,
  type FolderTree,
  maxDepth,
  mergeFolders,
  toTree,
  updateTreeWrite,
} from './record/folders.ts';
import { fileKeys } from './record/keys.ts';
import { removeLater } from './removal.ts';
import { removeFromReaders } from './sharing.ts';

/**
 * Merges a removed user's folders into those of another user. Files of folders beyond the limit move to the top level.
 * Does nothing if the other user is removed.
 */
const transferFolders = (from: number, to: number): Promise<true> =>
  retryOnConflict(async () => {
    const [item, receiverItem] = await batchGet([
      fileKeys.folders.at({ userId: from }),
      fileKeys.folders.at({ userId: to }),
    ]);
    if (!item) return true;
    const [transferred, own] = [toTree(item), toTree(receiverItem)];
    const refused = await transact([
      { write: userExistsCheck(to), refused: 'removed' },
      { write: deleteTreeWrite(from, transferred), refused: 'changed' },
      { write: updateTreeWrite(to, own, mergeFolders(own, transferred)), refused: 'changed' },
    ]);
    return refused?.by === 'changed' ? undefined : true;
  });

/** Creates the version of a file with a new owner; `undefined` for a folder that exceeded the new owner's limit. */
const createTransferred = (
  current: StoredFile,
  to: number,
  { folders }: FolderTree,
): StoredFile | undefined => {
  const own = isFolder(current) ? folders[current.id] : undefined;
  if (isFolder(current) && !own) return undefined;
  const { folderId } = current;
  return nextFile(current, {
    ownerId: to,
    sharedWith: current.sharedWith.filter((userId) => userId !== to),
    folderId: folderId !== undefined && folders[folderId] ? folderId : undefined,
    name: own?.name ?? current.name,
    isFavorite: false,
  });
};

/**
 * Deletes a removed owner's file, or transfers it to another user. If that user is removed concurrently, the job that
 * reconciles that user deals with it. Skips a folder that is not empty.
 */
const deleteOrTransferFile = (id: number, ownerId: number, to: number | undefined): Promise<true> =>
  retryOnConflict(async () => {
    const [item, children, receiver, folders] = await batchGet([
      fileKeys.record.at({ id }),
      fileKeys.children.at({ id }),
      ...(to === undefined
        ? []
        : [userKeys.record.at({ id: to }), fileKeys.folders.at({ userId: to })]),
    ]);
    const current = toFile(item);
    if (current?.ownerId !== ownerId) return true;
    if (to !== undefined && !receiver) throw new ReceiverRemoved();
    const isKept = current.status === 'ready' || current.status === 'trashed';
    const isTransferable = isKept && to !== undefined;
    const after = isTransferable ? createTransferred(current, to, toTree(folders)) : undefined;
    if (after) return (await write(current, after, systemRecorder('file.transfer'))) || undefined;
    if (Number(children?.['count'] ?? 0) > 0) return true;
    const owner = userKeys.record.at({ id: ownerId });
    return removeLater(current, systemRecorder('file.purge'), owner);
  });

const isEmpty = async (partition: Partition): Promise<boolean> =>
  (await countItems(partitionQuery(partition, true), 1)) === 0;

const ownFiles = (ownerId: number) => fileKeys.byId.partition({ list: `OF#${ownerId}` });
const otherFiles = (ownerId: number) => [
  fileKeys.public.partition({ ownerId }),
  fileKeys.trashed.partition({ ownerId }),
];

/**
 * Deletes a removed user's files with their objects, also those in the trash, or transfers them with their folders,
 * regardless of the receiver's quota. Abandons incomplete uploads. Returns whether all are done.
 * @throws ReceiverRemoved
 */
const deleteOrTransferFiles = async (
  ownerId: number,
  { to, former, ...bound }: Bound & Receiver,
): Promise<boolean> => {
  if (to !== undefined) {
    // A former receiver may already own folders of files that are not transferred yet.
    for (const from of [...former, ownerId]) await transferFolders(from, to);
  }
  const deleteOrTransfer = (id: number) => deleteOrTransferFile(id, ownerId, to);
  const own = ownFiles(ownerId);
  for (const partition of [fileKeys.upload.partition({ ownerId }), ...otherFiles(ownerId)]) {
    if (!(await forEachId(partition, deleteOrTransfer, bound))) return false;
  }
  // Each round empties the folders that the next one deletes.
  for (let round = 0; round <= maxDepth; round++) {
    if (!(await forEachId(own, deleteOrTransfer, bound))) return false;
    // Of a part, the rest is left to who does all.
    if (bound.only || (await isEmpty(own))) return true;
  }
  return false;
};

/** Deletes or transfers a removed user's files and folders, and stops sharing others with the user. */
export const owned: OwnedRecords = {
  deleteOrTransfer: deleteOrTransferFiles,
  counted: {
    kind: 'files',
    count: (ownerId) => countEntries([ownFiles(ownerId), ...otherFiles(ownerId)], undefined),
  },
  leave: removeFromReaders,
};
