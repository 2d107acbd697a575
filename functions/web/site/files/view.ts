import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** The types of files that can be shown alone. */
const shownTypes = ['image', 'video', 'audio', 'document', 'archive', 'other'] as const;

export const shows = ['folders', 'all', 'shared', 'favorites', ...shownTypes, 'trash'] as const;
/** The newest first, or by name; `-` reverses. */
export const sorts = ['createdAt', '-createdAt', 'name', '-name'] as const;

/** The state of the files page. A search covers all visible files; folders are your own. */
export interface View {
  readonly show: (typeof shows)[number];
  /** The path of a folder; empty for the top level, and where no folder is shown. */
  readonly folder: string;
  readonly search: string;
  readonly sort: (typeof sorts)[number];
  /** The id of the file that is previewed. */
  readonly open: number | undefined;
}

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => {
  const show = chooseOne(shows, query.get('show'));
  return {
    show,
    folder: show === 'folders' ? (query.get('folder') ?? '') : '',
    search: query.get('search') ?? '',
    sort: chooseOne(sorts, query.get('sort')),
    open: toInteger(query.get('open')),
  };
};

/** Returns path and query of a view. */
export const toUrl = ({ show, folder, search, sort, open }: View): string =>
  writeUrl('/files', {
    show: show === 'folders' ? undefined : show,
    folder,
    search,
    sort: sort === 'createdAt' ? undefined : sort,
    open,
  });

/** Returns whether a view is of the files in a folder, or at the top level. */
export const isOfFolder = ({ show, search }: View): boolean =>
  show === 'folders' && search.trim() === '';

/** Returns whether a view is of the trash. A search covers only what isn’t in it. */
export const isTrash = ({ show, search }: View): boolean =>
  show === 'trash' && search.trim() === '';

/** Returns whether a view can be sorted in more than one way. */
export const hasSort = ({ show, search }: View): boolean =>
  search.trim() !== '' || show === 'folders' || show === 'all' || show === 'shared';

/** A filter of `GET /api/files`, which takes one at a time. */
interface Filter {
  readonly search?: string;
  readonly folder?: string;
  readonly favorite?: 'true';
  readonly shared?: 'true';
  readonly type?: (typeof shownTypes)[number];
}

const getFilter = ({ show, folder, search }: View): Filter => {
  if (search.trim() !== '') return { search };
  if (show === 'folders') return { folder: folder || '/' };
  if (show === 'all' || show === 'trash') return {};
  if (show === 'shared') return { shared: 'true' };
  return show === 'favorites' ? { favorite: 'true' } : { type: show };
};

/** Returns the query by which `GET /api/files` lists what is shown. */
export const toQuery = (view: View): Filter & Pick<View, 'sort'> => ({
  ...getFilter(view),
  sort: hasSort(view) ? view.sort : 'createdAt',
});

/** Returns the folders that lead to a path, the outermost first, each with its own path. */
export const listFolders = (path: string): readonly { readonly name: string; path: string }[] => {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }));
};
