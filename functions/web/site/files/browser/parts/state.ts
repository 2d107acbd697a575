import { computed } from '@preact/signals';
import type { Item } from '../../../../browser/client/endpoints.ts';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createUrlList } from '../../../../browser/data/record-list.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { may, signedIn } from '../../../../browser/shell/session.ts';
import { isOfFolder, isTrash, parseView, toQuery, toUrl, type View } from '../../view.ts';

/** A file of the list. Those in the trash say when they were deleted. */
export type File = Item<'GET /api/files'> &
  Partial<Pick<Item<'GET /api/files/trash'>, 'deletedAt' | 'purgedAt'>>;

const pageSize = 50;

/** Only users who may upload have folders. */
const parse = (query: URLSearchParams): View => {
  const asked = parseView(query);
  const isStart = asked.show === 'folders' && asked.folder === '';
  return isStart && !may('files:create') ? { ...asked, show: 'all' } : asked;
};

export const { url, view, list, selection } = createUrlList<View, File>({
  parse,
  toUrl,
  read: (shown, start) => {
    const query = { pageSize, ...('cursor' in start && start) };
    return isTrash(shown)
      ? api.call('GET /api/files/trash', { query })
      : api.call('GET /api/files', { query: { ...toQuery(shown), ...query } });
  },
});

export const usage = createSource(() => api.call('GET /api/files/usage'));

/** The deletions that can still be undone. */
export const deletions = createDeletions<File, number>({
  items: list.items,
  getId: ({ id }) => id,
  getName: ({ name }) => name,
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/files/{id}', { params: { id }, keepalive }),
  onDeleted: () => usage.load(),
});

/** The files and folders to show. */
export const shown = computed(() =>
  list.items.value?.filter(({ id }) => isTrash(view.value) || !deletions.hidden.value.has(id)),
);

/** Moves files to the trash and deletes folders, which can be undone for some seconds. */
export const remove = (files: readonly File[]): void => {
  selection.value = new Set();
  if (files.some(({ id }) => id === view.value.open)) url.close({ open: undefined });
  deletions.remove(files);
};

/** Shows a file as it is now. */
export const showFile = (file: File): void => {
  list.items.value = list.items.value?.map((one) => (one.id === file.id ? file : one));
};

/** Loads the first files and the usage. */
export const loadFiles = async (): Promise<void> => {
  await Promise.all([list.load(1), usage.load()]);
};

/** The maximum number of pages that are loaded again after a change. */
const maxPages = 10;
let isReloading = false;
let isStale = false;

/** Loads all pages that are shown again, once for all changes meanwhile. */
export const reload = async (): Promise<void> => {
  isStale = true;
  if (isReloading) return;
  isReloading = true;
  while (isStale) {
    isStale = false;
    const pages = Math.min(list.page.value, maxPages);
    await Promise.all([list.load(1), usage.load()]);
    for (let page = 1; page < pages && list.hasNext.value; page += 1) await list.loadMore();
  }
  isReloading = false;
};

/** Returns the path of the folder that is shown; empty for the top level. */
export const currentFolder = (shownView: View): string =>
  isOfFolder(shownView) ? shownView.folder : '';

/** Returns the view of a folder. */
export const toFolder = (folder: string): View => ({
  ...view.value,
  show: 'folders',
  folder,
  search: '',
  open: undefined,
});

/** Returns the path of a folder, including its own name. */
export const getPath = ({ folder, name }: File): string => (folder ? `${folder}/${name}` : name);

const isOwn = ({ owner_id: owner }: File): boolean => owner === signedIn?.user.id;

/** What the user may do with a file. The service checks it again. */
export const rightsOf = (file: File) => {
  const { actions, type, deletedAt } = file;
  const isHere = deletedAt === undefined;
  const mayManage = isHere && actions.includes('manage');
  return {
    isOwn: isOwn(file),
    mayRename: mayManage,
    mayShare: mayManage && type !== 'folder',
    mayLink: isHere && isOwn(file) && type !== 'folder',
    // The folders of other users are unknown.
    mayMove: isOwn(file) && mayManage,
    mayDelete: isHere && actions.includes('delete'),
  };
};
