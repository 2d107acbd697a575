import type { Actor } from '../../../shared/auth/actor.ts';
import type { StoredUser } from '../../../shared/auth/user.ts';
import { batchGet } from '../../../shared/db/dynamodb.ts';
import { keys, type ListScope } from '../../../shared/db/table.ts';
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
import type { Place } from './record/index-entries.ts';

/*
 * Files stand on shelves as documents do (functions/api/documents/list.ts): all of them; everyone's; of the others, a user's own
 * and those that are shared with a user. Folders are listed among them. Beside those shelves each owner has a list of what
 * lies in each folder, and one of favorites.
 */

export type FileSort = 'createdAt' | 'name';

/** Which files, and in what order: one filter at most. */
export interface FileFilter {
  /** Each word is the start of a word of the name. */
  readonly search?: string | undefined;
  /** The path of one of one's own folders; empty for what lies in none. */
  readonly folder?: string | undefined;
  readonly type?: FileType | undefined;
  readonly favorite?: true | undefined;
  /** Shared with the actor by name, and not everyone's. */
  readonly shared?: true | undefined;
  readonly sort: FileSort;
}

/** A file as a list shows it, with its owner's name. */
export interface ListedFile extends FoundFile {
  readonly owner: string;
}

/** Where the files of a filter are: partitions in the order of the list, and how those shared with the caller fit. */
interface Sources {
  readonly partitions: readonly Partition[];
  readonly shared?: { readonly type?: FileType };
}

const sharedWith = (userId: number): Partition => keys.fileById(`SHARED#${userId}`, 0);

const onShelves = (
  actor: Actor,
  pkOf: (scope: ListScope) => string,
): Sources & { readonly partitions: readonly Partition[] } =>
  isManager(actor)
    ? { partitions: [{ pk: pkOf('ALL'), ofIndex: true }] }
    : { partitions: [{ pk: pkOf(`OF#${actor.user.id}`) }, { pk: pkOf('EVERYONE') }] };

const inFolder = async (actor: Actor, path: string, sort: FileSort): Promise<Sources> => {
  const me = actor.user.id;
  // What lies in none needs no look at the folders.
  const [item] = path === '/' ? [] : await batchGet([keys.fileFolders(me)]);
  const folderId = findFolder(toTree(item), path);
  const key =
    sort === 'name'
      ? keys.fileInFolderByName(me, folderId, 'file', '', 0)
      : keys.fileInFolder(me, folderId, 0);
  return { partitions: [{ pk: key.pk }] };
};

const sourcesFor = async (
  actor: Actor,
  { folder, type, favorite, shared, sort }: FileFilter,
): Promise<Sources> => {
  const me = actor.user.id;
  if (folder !== undefined) return inFolder(actor, folder, sort);
  if (shared) {
    return sort === 'name' ? { partitions: [], shared: {} } : { partitions: [sharedWith(me)] };
  }
  if (favorite) return { partitions: [{ pk: keys.favoriteFile(me, 0).pk }] };
  if (type !== undefined) {
    const found = onShelves(actor, (scope) => keys.fileByType(scope, type, 0).pk);
    return { ...found, ...(!isManager(actor) && { shared: { type } }) };
  }
  if (sort === 'name') {
    const found = onShelves(actor, (scope) => keys.fileByName(scope, '', 0).pk);
    return { ...found, ...(!isManager(actor) && { shared: {} }) };
  }
  const on = (scope: ListScope) => ({ pk: keys.fileById(scope, 0).pk });
  if (isManager(actor)) return { partitions: [on('ALL')] };
  return { partitions: [on(`OF#${me}`), on('EVERYONE'), on(`SHARED#${me}`)] };
};

/** The files of some places, with the names of their owners and, of those that the actor may change, their folders. */
const withFiles = async (
  actor: Actor,
  { items, ...page }: Page<Place>,
): Promise<Page<ListedFile>> => {
  const ownerIds = [...new Set(items.map(({ ownerId }) => ownerId))];
  const withTrees = isManager(actor) ? ownerIds : ownerIds.filter((id) => id === actor.user.id);
  const found = await batchGet([
    ...items.map(({ id }) => keys.file(id)),
    ...ownerIds.map(keys.user),
    ...withTrees.map(keys.fileFolders),
  ]);
  const users = found.slice(items.length, items.length + ownerIds.length);
  const names = new Map(
    ownerIds.map((id, at) => [id, (users[at] as StoredUser | undefined)?.name]),
  );
  const trees = new Map(
    withTrees.map((id, at) => [id, toTree(found[items.length + ownerIds.length + at])]),
  );
  return {
    ...page,
    // A file may have been changed since its place was read; nothing of a removed owner is shown.
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

/** As the shelf of all is sorted. */
const orders: Readonly<Record<FileSort, SortOrder<Place>>> = {
  createdAt: { keyOf: ({ id }) => keys.fileById('ALL', id), isById: true, isDescending: true },
  name: {
    keyOf: ({ id, sortName = '' }) => keys.fileByName('ALL', sortName, id),
    isById: false,
    isDescending: false,
  },
};

const search = async (
  actor: Actor,
  words: readonly string[],
  sort: FileSort,
  request: PageRequest,
  scope: string,
): Promise<ListResult<ListedFile>> => {
  const me = actor.user.id;
  const on = (scope: ListScope) => (word: string) => ({
    ...keys.fileByWord(scope, word, 0),
    ...(scope === 'ALL' && { ofIndex: true as const }),
  });
  const searched = isManager(actor)
    ? { words: [on('ALL')] }
    : { words: [on(`OF#${me}`), on('EVERYONE')], whole: sharedWith(me) };
  const found = await searchPage(words, searched, orderBy(orders[sort], request), request, scope);
  return { ...found, ...(await withFiles(actor, found)) };
};

const isFiltered = ({ folder, type, favorite, shared }: FileFilter): boolean =>
  [folder, type, favorite, shared].some((value) => value !== undefined);

/** Refuses two filters at once, and an order that a filter doesn't have (decisions.md#lists). */
const assertFilters = ({
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
 * A page of the files and folders that the actor may see, and how many there are: all, those of a folder or a type, the
 * favorites, those shared with the actor, or those a search finds. Page 1 of all, newest first, costs the same however many there are; a search or a
 * filter grows with its matches and with what is shared with the actor. A folder by name has its folders first.
 * @throws AppError VALIDATION_ERROR about `cursor`, `page` or `folder`, two filters at once, or an order that a filter lacks
 */
export const list = async (
  actor: Actor,
  filter: FileFilter,
  request: PageRequest,
): Promise<ListResult<ListedFile>> => {
  assertFilters(filter);
  const me = actor.user.id;
  const isAll = isManager(actor);
  const scope = `files#${me}#${isAll}#${JSON.stringify(filter)}`;
  const { search: text } = filter;
  if (text !== undefined) return search(actor, tokenizeQuery(text), filter.sort, request, scope);
  const order = orderBy(orders[filter.sort], request);
  const sources = await sourcesFor(actor, filter);
  const shared =
    sources.shared &&
    readFiltered<Place>(sharedWith(me).pk, { equal: { ...sources.shared } }).then((places) =>
      sortItems(places, order),
    );
  const readCount = async () => {
    if (isFiltered(filter)) return countEntries(sources.partitions, shared);
    return { total: await (isAll ? countAll() : countVisible(me)), totalIsExact: true };
  };
  const [page, count] = await Promise.all([
    readPageFrom(
      mergeSources(sources.partitions, shared, order.isDescending),
      sources.partitions.some(({ ofIndex }) => ofIndex),
      request,
      scope,
    ).then((read) => withFiles(actor, read as unknown as Page<Place>)),
    readCount(),
  ]);
  return { ...page, ...count };
};
