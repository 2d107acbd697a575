import type { Actor } from '../../../shared/auth/actor.ts';
import { userKeys } from '../../../shared/auth/keys.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import type { ListScope } from '../../../shared/db/key.ts';
import { assertSingleFilter } from '../../../shared/lists/filters.ts';
import {
  countEntries,
  mergeSources,
  orderBy,
  type Partition,
  readFiltered,
  type SortOrder,
  sortItems,
} from '../../../shared/lists/list-partitions.ts';
import {
  type ListResult,
  type Page,
  type PageRequest,
  readPageFrom,
} from '../../../shared/lists/pagination.ts';
import { searchPage } from '../../../shared/lists/search.ts';
import { tokenizeQuery } from '../../../shared/lists/tokenize.ts';
import { invalidField } from '../../../shared/runtime/errors.ts';
import { countAll, countVisible } from './record/counts.ts';
import { canView, type FileType, isManager } from './record/file.ts';
import { type FoundFile, toFile } from './record/files.ts';
import { findFolder, toTree } from './record/folders.ts';
import type { IndexEntry } from './record/index-entries.ts';
import { fileKeys } from './record/keys.ts';

/*
 * Files and folders have index entries in the same scopes as documents (functions/api/documents/list.ts). Each owner also
 * has a list of each folder's contents and one of favorites.
 */

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
export interface ListedFile extends FoundFile {
  readonly owner: string;
}

interface Sources {
  /** Partitions that are in the order of the list. */
  readonly partitions: readonly Partition[];
  /** Selects entries of the actor's SHARED scope, which is not in this order. */
  readonly shared?: { readonly type?: FileType };
}

const sharedPartition = (userId: number): Partition =>
  fileKeys.byId.partition({ list: `SHARED#${userId}` });

const selectByScope = (actor: Actor, inScope: (scope: ListScope) => Partition): Sources =>
  isManager(actor)
    ? { partitions: [{ ...inScope('ALL'), ofIndex: true }] }
    : { partitions: [inScope(`OF#${actor.user.id}`), inScope('EVERYONE')] };

const selectFolder = async (actor: Actor, path: string, sort: FileSort): Promise<Sources> => {
  const me = actor.user.id;
  // The top level requires no folders.
  const [item] = path === '/' ? [] : await batchGet([fileKeys.folders.at({ userId: me })]);
  const folderId = findFolder(toTree(item), path);
  const family = sort === 'name' ? fileKeys.inFolderByName : fileKeys.inFolder;
  return { partitions: [family.partition({ ownerId: me, folderId })] };
};

const selectSources = async (
  actor: Actor,
  { folder, type, favorite, shared, sort }: FileFilter,
): Promise<Sources> => {
  const me = actor.user.id;
  if (folder !== undefined) return selectFolder(actor, folder, sort);
  if (shared) {
    return sort === 'name' ? { partitions: [], shared: {} } : { partitions: [sharedPartition(me)] };
  }
  if (favorite) return { partitions: [fileKeys.favorite.partition({ ownerId: me })] };
  if (type !== undefined) {
    const found = selectByScope(actor, (scope) => fileKeys.byType.partition({ list: scope, type }));
    return { ...found, ...(!isManager(actor) && { shared: { type } }) };
  }
  if (sort === 'name') {
    const found = selectByScope(actor, (scope) => fileKeys.byName.partition({ list: scope }));
    return { ...found, ...(!isManager(actor) && { shared: {} }) };
  }
  const inScope = (scope: ListScope) => fileKeys.byId.partition({ list: scope });
  if (isManager(actor)) return { partitions: [inScope('ALL')] };
  return { partitions: [inScope(`OF#${me}`), inScope('EVERYONE'), inScope(`SHARED#${me}`)] };
};

/** Loads the files of entries with their owners' names, and with the folders of those that the actor can edit. */
const loadFiles = async (
  actor: Actor,
  { items, ...page }: Page<IndexEntry>,
): Promise<Page<ListedFile>> => {
  const ownerIds = [...new Set(items.map(({ ownerId }) => ownerId))];
  const treeOwnerIds = isManager(actor) ? ownerIds : ownerIds.filter((id) => id === actor.user.id);
  const found = await batchGet([
    ...items.map(({ id }) => fileKeys.record.at({ id })),
    ...ownerIds.map((id) => userKeys.record.at({ id })),
    ...treeOwnerIds.map((userId) => fileKeys.folders.at({ userId })),
  ]);
  const users = found.slice(items.length, items.length + ownerIds.length);
  const names = new Map(
    ownerIds.map((id, index) => [id, (users[index] as StoredUser | undefined)?.name]),
  );
  const trees = new Map(
    treeOwnerIds.map((id, index) => [id, toTree(found[items.length + ownerIds.length + index])]),
  );
  return {
    ...page,
    // A file may have changed, and its owner been removed, since its entry was read.
    items: found
      .slice(0, items.length)
      .map(toFile)
      .flatMap((file) => {
        const owner = file && names.get(file.ownerId);
        return file && owner !== undefined && canView(actor, file)
          ? [{ file, tree: trees.get(file.ownerId) ?? toTree(undefined), owner }]
          : [];
      }),
  };
};

/** Sorts by the keys of the ALL scope, because every file has them. */
const sortOrders: Readonly<Record<FileSort, SortOrder<IndexEntry>>> = {
  createdAt: {
    keyOf: ({ id }) => fileKeys.byId.at({ list: 'ALL', id }),
    isById: true,
    isDescending: true,
  },
  name: {
    keyOf: ({ id, sortName = '' }) => fileKeys.byName.at({ list: 'ALL', sortName, id }),
    isById: false,
    isDescending: false,
  },
};

const search = async (
  actor: Actor,
  words: readonly string[],
  sort: FileSort,
  request: PageRequest,
  cursorScope: string,
): Promise<ListResult<ListedFile>> => {
  const me = actor.user.id;
  const inScope = (scope: ListScope) => (word: string) => ({
    ...fileKeys.byWord.prefix({ list: scope, word }),
    ...(scope === 'ALL' && { ofIndex: true as const }),
  });
  const searchScope = isManager(actor)
    ? { words: [inScope('ALL')] }
    : { words: [inScope(`OF#${me}`), inScope('EVERYONE')], whole: sharedPartition(me) };
  const found = await searchPage(
    words,
    searchScope,
    orderBy(sortOrders[sort], request),
    request,
    cursorScope,
  );
  return { ...found, ...(await loadFiles(actor, found)) };
};

const isFiltered = ({ folder, type, favorite, shared }: FileFilter): boolean =>
  [folder, type, favorite, shared].some((value) => value !== undefined);

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
 * @throws AppError VALIDATION_ERROR for `cursor`, `page`, `folder`, a second filter, or a sort order the filter does not
 *   support
 */
export const list = async (
  actor: Actor,
  filter: FileFilter,
  request: PageRequest,
): Promise<ListResult<ListedFile>> => {
  assertSupported(filter);
  const me = actor.user.id;
  const isAll = isManager(actor);
  const cursorScope = `files#${me}#${isAll}#${JSON.stringify(filter)}`;
  const { search: text } = filter;
  if (text !== undefined)
    return search(actor, tokenizeQuery(text), filter.sort, request, cursorScope);
  const sortOrder = orderBy(sortOrders[filter.sort], request);
  const sources = await selectSources(actor, filter);
  const shared =
    sources.shared &&
    readFiltered<IndexEntry>(sharedPartition(me).pk, { equal: { ...sources.shared } }).then(
      (entries) => sortItems(entries, sortOrder),
    );
  const readPage = async () => {
    const page = await readPageFrom(
      mergeSources(sources.partitions, shared, sortOrder.isDescending),
      sources.partitions.some(({ ofIndex }) => ofIndex),
      request,
      cursorScope,
    );
    return loadFiles(actor, page as unknown as Page<IndexEntry>);
  };
  const readCount = async () => {
    if (isFiltered(filter)) return countEntries(sources.partitions, shared);
    return { total: await (isAll ? countAll() : countVisible(me)), totalIsExact: true };
  };
  const [page, count] = await Promise.all([readPage(), readCount()]);
  return { ...page, ...count };
};
