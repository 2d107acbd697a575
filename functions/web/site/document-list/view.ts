import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

export const shows = ['all', 'mine', 'shared', 'trash'] as const;
/** The newest first, or by title; `-` reverses. */
export const sorts = ['createdAt', '-createdAt', 'title', '-title'] as const;

/** The state of the documents page. */
export interface View {
  readonly show: (typeof shows)[number];
  /** Words of the title. A search covers all documents and takes no filter. */
  readonly search: string;
  readonly folder: string;
  readonly tag: string;
  readonly type: string;
  /** The id of the author. */
  readonly author: number | undefined;
  readonly sort: (typeof sorts)[number];
  /** The page of the list, from 1. */
  readonly page: number;
}

const noFilter = { search: '', folder: '', tag: '', type: '', author: undefined } as const;

/** Returns whether a view leaves documents out. */
export const isFiltered = ({ search, folder, tag, type, author }: View): boolean =>
  search.trim() !== '' || folder !== '' || tag !== '' || type !== '' || author !== undefined;

/** Returns whether a view can be sorted by title: within a filter and of one author, the API has no such order. */
export const hasTitleOrder = (view: View): boolean =>
  view.search.trim() !== '' ||
  ((view.show === 'all' || view.show === 'shared') && !isFiltered(view));

/** Returns the orders that a view can have. */
export const getSorts = (view: View): readonly View['sort'][] =>
  hasTitleOrder(view) ? sorts : sorts.filter((sort) => !sort.endsWith('title'));

/** Leaves out what can’t be combined: a search covers all documents, and the trash has no filter. */
const toValid = (view: View): View => {
  const { show, search, sort } = view;
  if (search.trim() !== '') return { ...view, ...noFilter, show: 'all', search };
  if (show === 'trash') return { ...view, ...noFilter, sort: 'createdAt' };
  const one = show === 'all' ? view : { ...view, author: undefined };
  return sort.endsWith('title') && !hasTitleOrder(one) ? { ...one, sort: 'createdAt' } : one;
};

/** Parses the query of the page. Ignores unknown values, and what can’t be combined. */
export const parseView = (query: URLSearchParams): View =>
  toValid({
    show: chooseOne(shows, query.get('show')),
    search: query.get('search') ?? '',
    folder: query.get('folder') ?? '',
    tag: query.get('tag') ?? '',
    type: query.get('type') ?? '',
    author: toInteger(query.get('author')),
    sort: chooseOne(sorts, query.get('sort')),
    page: toInteger(query.get('page')) ?? 1,
  });

/** Returns path and query of a view. */
export const toUrl = ({ show, sort, page, ...filters }: View): string =>
  writeUrl('/documents', {
    show: show === 'all' ? undefined : show,
    ...filters,
    sort: sort === 'createdAt' ? undefined : sort,
    page: page === 1 ? undefined : page,
  });

/** Returns the address of a new document, which is where the view shows it. */
export const toNew = ({ folder, tag }: View): string => writeUrl('/documents/new', { folder, tag });

/** Returns the view of other documents, without the filters before. */
export const toShow = (view: View, show: View['show']): View =>
  toValid({ ...view, ...noFilter, show, page: 1 });

/** Returns the view with another filter, which ends a search. */
export const filterBy = (view: View, filter: Partial<View>): View =>
  toValid({ ...view, search: '', ...filter, page: 1 });

/** Returns the view of a search. */
export const searchFor = (view: View, search: string): View =>
  toValid({ ...view, search, page: 1 });

/** Returns the query by which `GET /api/documents` lists what is shown. `me` is the id of the user. */
export const toQuery = (view: View, me: number | undefined) => {
  const { show, search, folder, tag, type, author, sort } = view;
  const by = show === 'mine' ? me : author;
  return {
    ...(search.trim() !== '' && { search }),
    ...(folder !== '' && { folder }),
    ...(tag !== '' && { tag }),
    ...(type !== '' && { type }),
    ...(by !== undefined && { author: String(by) }),
    ...(show === 'shared' && { shared: 'true' as const }),
    sort,
  };
};
