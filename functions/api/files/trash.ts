import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { ListResult, PageRequest } from '../../../shared/lists/pagination.ts';
import { createTrash } from '../../../shared/records/trash.ts';
import { countTrashed } from './record/counters.ts';
import type { ListedFile, StoredFile } from './record/file.ts';
import { type FoundFile, findTrashed } from './record/files.ts';
import { toTree } from './record/folders.ts';
import type { WholeEntry } from './record/index-entries.ts';
import { fileKeys } from './record/keys.ts';
import { removeLater } from './removal.ts';
import { sharedFiles } from './sharing.ts';

const trash = createTrash<StoredFile, FoundFile, WholeEntry>({
  name: 'trashed-files',
  shared: sharedFiles,
  purges: fileKeys.purges,
  getOwner: ({ ownerId }) => ownerId,
  trashOf: (ownerId) => fileKeys.trashed.partition({ ownerId }),
  countTrashed,
  findTrashed,
  toTrashed: () => ({ status: 'trashed' }),
  // At the top level if its folder is gone.
  toRestored: ({ file: { folderId = 0 }, tree }) => ({
    status: 'ready',
    folderId: tree.folders[folderId] && folderId,
  }),
  auditPurge: systemRecorder('file.purge'),
  remove: removeLater,
});

export const { moveFound, restore, trashed } = trash;

/** Lists a user's files in the trash with the folders they were in, last deleted first. */
export const listTrash = async (
  userId: number,
  request: PageRequest,
): Promise<ListResult<FoundFile<ListedFile>>> => {
  const [page, [folders]] = await Promise.all([
    trash.listTrash(userId, request),
    batchGet([fileKeys.folders.at({ userId })]),
  ]);
  const tree = toTree(folders);
  return { ...page, items: page.items.map((file) => ({ file, tree })) };
};
