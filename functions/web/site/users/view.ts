import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** Without a filter, or with one. */
export const statusFilters = ['all', 'active', 'inactive', 'suspended'] as const;
/** The newest first, or by name; `-` reverses. */
export const sorts = ['createdAt', '-createdAt', 'name', '-name'] as const;
export const tabs = ['users', 'roles'] as const;
/** The parts of the drawer of a user. */
export const parts = ['details', 'security', 'activity'] as const;

/** The state of the users page. */
export interface View {
  readonly tab: (typeof tabs)[number];
  readonly search: string;
  /** The name of a role, or `all`. */
  readonly role: string;
  readonly status: (typeof statusFilters)[number];
  readonly sort: (typeof sorts)[number];
  /** The page of the list, from 1. */
  readonly page: number;
  /** The id of the user that is open; `new` for the form of a new one; `import` for a file. */
  readonly open: number | 'new' | 'import' | undefined;
  /** The name of the role that is open; `new` for the form of a new one. */
  readonly openRole: string | undefined;
  /** The part of the open user that is shown. */
  readonly part: (typeof parts)[number];
}

const parseOpenUser = (query: URLSearchParams): View['open'] => {
  if (query.has('new')) return 'new';
  return query.has('import') ? 'import' : toInteger(query.get('open'));
};

const parseOpen = (query: URLSearchParams): Pick<View, 'open' | 'openRole'> => {
  if (query.get('tab') !== 'roles') return { open: parseOpenUser(query), openRole: undefined };
  return { open: undefined, openRole: query.has('new') ? 'new' : (query.get('open') ?? undefined) };
};

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => ({
  tab: chooseOne(tabs, query.get('tab')),
  search: query.get('search') ?? '',
  role: query.get('role') || 'all',
  status: chooseOne(statusFilters, query.get('status')),
  sort: chooseOne(sorts, query.get('sort')),
  page: toInteger(query.get('page')) ?? 1,
  ...parseOpen(query),
  part: chooseOne(parts, query.get('part')),
});

const writeOpen = (open: View['open']) => {
  if (open === 'new') return { new: 'user' };
  return open === 'import' ? { import: 'csv' } : { open };
};

/** Returns path and query of a view. */
export const toUrl = (view: View): string => {
  const { tab, search, role, status, sort, page, open, openRole, part } = view;
  if (tab === 'roles') {
    return writeUrl('/users', {
      tab,
      ...(openRole === 'new' ? { new: 'role' } : { open: openRole }),
    });
  }
  return writeUrl('/users', {
    search,
    role: role === 'all' ? undefined : role,
    status: status === 'all' ? undefined : status,
    sort: sort === 'createdAt' ? undefined : sort,
    page: page === 1 ? undefined : page,
    ...writeOpen(open),
    part: typeof open !== 'number' || part === 'details' ? undefined : part,
  });
};

/** Returns whether a view leaves users out. */
export const isFiltered = ({ search, role, status }: View): boolean =>
  search.trim() !== '' || role !== 'all' || status !== 'all';

/** Returns the filter and the order as the API takes them. */
export const toQuery = ({ search, role, status, sort }: View) => ({
  ...(search.trim() !== '' && { search }),
  ...(role !== 'all' && { role }),
  ...(status !== 'all' && { status }),
  sort,
});
