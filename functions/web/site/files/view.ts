import type { FileSort } from '../../../api/files/list.ts';
import type { FileType } from '../../../api/files/record/file.ts';

/** The types of files that can be looked at alone. */
export const shownTypes = [
  'image',
  'video',
  'audio',
  'document',
  'archive',
  'other',
] as const satisfies readonly FileType[];

export const shows = ['folders', 'all', 'favorites', ...shownTypes] as const;
export const sorts = ['createdAt', 'name'] as const satisfies readonly FileSort[];

/** The state of the files page. A search covers all visible files; folders are your own. */
export interface View {
  readonly show: (typeof shows)[number];
  /** The path of a folder; empty for what lies in none, and where no folder is shown. */
  readonly folder: string;
  readonly search: string;
  readonly sort: FileSort;
}

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], text: string | null) =>
  values.find((value) => value === text) ?? values[0];

/** The view that an address's query asks for; what makes no sense is left out. */
export const parseView = (query: string): View => {
  const asked = new URLSearchParams(query);
  const show = oneOf(shows, asked.get('show'));
  return {
    show,
    folder: show === 'folders' ? (asked.get('folder') ?? '') : '',
    search: asked.get('search') ?? '',
    sort: oneOf(sorts, asked.get('sort')),
  };
};

/** Can it be sorted in more than one way? */
export const hasSort = ({ show, search }: View): boolean =>
  search.trim() !== '' || show === 'folders' || show === 'all';

const withoutEmpty = (entries: Readonly<Record<string, string>>): string =>
  new URLSearchParams(Object.entries(entries).filter(([, value]) => value !== '')).toString();

/** The path and query of the page that shows this. */
export const toUrl = ({ show, folder, search, sort }: View): string => {
  const query = withoutEmpty({
    show: show === 'folders' ? '' : show,
    folder,
    search,
    sort: sort === 'createdAt' ? '' : sort,
  });
  return query === '' ? '/files' : `/files?${query}`;
};

const getFilter = ({ show, folder, search }: View): Readonly<Record<string, string>> => {
  if (search.trim() !== '') return { search };
  if (show === 'folders') return { folder: folder || '/' };
  if (show === 'all') return {};
  return show === 'favorites' ? { favorite: 'true' } : { type: show };
};

/** The query by which `GET /api/files` answers what is shown, one filter at a time. */
export const toQuery = (view: View): string =>
  withoutEmpty({ ...getFilter(view), sort: hasSort(view) ? view.sort : 'createdAt' });

/** The folders that lead to a path, the outermost first: what each is called, and its own path. */
export const listFolders = (path: string): readonly { readonly name: string; path: string }[] => {
  const names = path.split('/').filter((name) => name !== '');
  return names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }));
};
