import { batchGet } from '../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  createList,
  getViewedScopes,
  type Sources,
  toPartition,
  type Viewer,
} from '../../../shared/records/lists.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { visible } from './record/counters.ts';
import { canView, type FileType, isManager, type ListedFile } from './record/file.ts';
import { type FoundFile, toFile } from './record/files.ts';
import { findFolder, toTree } from './record/folders.ts';
import type { IndexEntry } from './record/index-entries.ts';
import { fileKeys } from './record/keys.ts';

export type FileSort = 'createdAt' | 'name';

/** Selects and sorts files by at most one filter. */
export interface FileFilter {
  /** Each word is a prefix of a word of the name. */
  readonly search?: string | undefined;
  /** The path of one of the actor's folders; `/` is the top level. */
  readonly folder?: string | undefined;
  readonly type?: FileType | undefined;
  readonly favorite?: true | undefined;
  /** Shared with the actor, and not visible to everyone. */
  readonly shared?: true | undefined;
  readonly sort: FileSort;
}

/** A file with its owner's name. */
export interface OwnedFile extends FoundFile<ListedFile> {
  readonly owner: string;
}

const selectFolder = async (ownerId: number, path: string, sort: FileSort): Promise<Sources> => {
  // The top level requires no folders.
  const [item] = path === '/' ? [] : await batchGet([fileKeys.folders.at({ userId: ownerId })]);
  const inFolder = { ownerId, folderId: findFolder(toTree(item), path) };
  const family = sort === 'name' ? fileKeys.inFolderByName : fileKeys.inFolder;
  return { partitions: [family.partition(inFolder)] };
};

const selectType = ({ id, isManager: isAll }: Viewer, type: FileType): Sources => {
  const partitions = getViewedScopes(isAll, id).map((list) =>
    toPartition(list, fileKeys.byType.partition({ list, type })),
  );
  return { partitions, ...(!isAll && { shared: { equal: { type } } }) };
};

/** Each filter has its own sort orders (decisions.md#lists). */
const assertSupported = ({
  search: words,
  folder,
  type,
  favorite,
  shared,
  sort,
}: FileFilter): void => {
  assertSingleFilter({ search: words, folder, type, favorite, shared });
  if (sort === 'name' && (type !== undefined || favorite !== undefined)) {
    throw invalidField('sort', 'must be createdAt when filtering by type or favorite');
  }
};

/**
 * Lists files and folders that the actor can view. Page 1 without a filter, newest first, has a constant cost; that of a
 * search or a filter grows with its matches and the files shared with the actor. A folder by name lists subfolders first.
 * Each owner also has a list of each folder's contents and one of favorites.
 * @throws AppError VALIDATION_ERROR for `cursor`, `page`, `folder`, a second filter, or a sort order the filter does not
 *   support
 */
export const { list, readAhead } = createList<IndexEntry, FileFilter, ListedFile, OwnedFile>({
  name: 'files',
  keys: fileKeys,
  parseEntry: itemParser('entry of a file', ['pk', 'sk', 'id', 'ownerId']),
  isManager,
  counts: visible,
  assertSupported,
  isDirect: ({ folder }) => folder === undefined || folder === '/',
  select: async (viewer, { folder, favorite, type, sort }) => {
    if (folder !== undefined) return selectFolder(viewer.id, folder, sort);
    if (favorite) return { partitions: [fileKeys.favorite.partition({ ownerId: viewer.id })] };
    return type && selectType(viewer, type);
  },
  toOwnerKey: (userId) => fileKeys.folders.at({ userId }),
  parseRecord: toFile,
  getOwnerId: ({ ownerId }) => ownerId,
  canView,
  toFound: (file, { name }, folders) => ({ file, tree: toTree(folders), owner: name }),
});
