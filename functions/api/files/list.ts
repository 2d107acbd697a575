import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { itemParser } from '../../../shared/db/item-parser.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import {
  createList,
  getViewedScopes,
  type Sources,
  toPartition,
  type Viewer,
} from '../../../shared/sharing/lists.ts';
import { parseAuthor } from '../../../shared/users/person.ts';
import { visible } from './record/counters.ts';
import { canView, type FileType, isManager, type ListedFile } from './record/file.ts';
import { type FoundFile, toFile } from './record/files.ts';
import { type FolderTree, findFolder, toTree } from './record/folders.ts';
import type { IndexEntry, WholeEntry } from './record/index-entries.ts';
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

const isWhole = (entry: IndexEntry): entry is WholeEntry => 'version' in entry;

/**
 * Loads the files of entries with their owners' names, and with the folders of those that the actor can edit: in one round
 * trip, if the entries and the actor's own folders do not have it all.
 */
const loadFiles = async (
  actor: Actor,
  entries: readonly IndexEntry[],
  ownTree: FolderTree,
): Promise<OwnedFile[]> => {
  const me = actor.user.id;
  const ids = entries.flatMap((entry) => (isWhole(entry) ? [] : [entry.id]));
  const ownerIds = [...new Set(entries.map(({ ownerId }) => ownerId))].filter((id) => id !== me);
  const treeOwnerIds = isManager(actor) ? ownerIds : [];
  const found = await batchGet([
    ...ids.map((id) => fileKeys.record.at({ id })),
    ...ownerIds.map((id) => userKeys.record.at({ id })),
    ...treeOwnerIds.map((userId) => fileKeys.folders.at({ userId })),
  ]);
  const byId = new Map(ids.map((id, at) => [id, toFile(found[at])]));
  const [users, folders] = [
    found.slice(ids.length, ids.length + ownerIds.length),
    found.slice(ids.length + ownerIds.length),
  ];
  const names = new Map(ownerIds.map((id, at) => [id, parseAuthor(users[at])?.name]));
  names.set(me, actor.user.name);
  const trees = new Map(treeOwnerIds.map((id, at) => [id, toTree(folders[at])]));
  trees.set(me, ownTree);
  // A file may have changed, and its owner been removed, since its entry was read.
  return entries.flatMap((entry) => {
    const file = isWhole(entry) ? entry : byId.get(entry.id);
    const owner = file && names.get(file.ownerId);
    return file && owner !== undefined && canView(actor, file)
      ? [{ file, tree: trees.get(file.ownerId) ?? toTree(undefined), owner }]
      : [];
  });
};

const readOwnTree = async (userId: number, { shared }: FileFilter): Promise<FolderTree> => {
  if (shared) return toTree(undefined);
  const [item] = await batchGet([fileKeys.folders.at({ userId })]);
  return toTree(item);
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
export const { list, readAhead } = createList<IndexEntry, FileFilter, OwnedFile, FolderTree>({
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
  readAlong: readOwnTree,
  load: loadFiles,
});
