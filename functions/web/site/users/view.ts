import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';

/** Each without a filter, or with one. */
export const roleFilters = ['all', 'super_admin', 'admin', 'user', 'guest'] as const;
export const statusFilters = ['all', 'active', 'inactive', 'suspended'] as const;
/** The newest first, or by name; `-` reverses. */
export const sorts = ['createdAt', '-createdAt', 'name', '-name'] as const;
export const tabs = ['users', 'roles'] as const;

/** The state of the users page. */
export interface View {
  readonly tab: (typeof tabs)[number];
  readonly search: string;
  readonly role: (typeof roleFilters)[number];
  readonly status: (typeof statusFilters)[number];
  readonly sort: (typeof sorts)[number];
  /** The page of the list, from 1. */
  readonly page: number;
  /** The id of the user that is open; `new` for the form of a new one. */
  readonly open: number | 'new' | undefined;
}

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => ({
  tab: chooseOne(tabs, query.get('tab')),
  search: query.get('search') ?? '',
  role: chooseOne(roleFilters, query.get('role')),
  status: chooseOne(statusFilters, query.get('status')),
  sort: chooseOne(sorts, query.get('sort')),
  page: toInteger(query.get('page')) ?? 1,
  open: query.has('new') ? 'new' : toInteger(query.get('open')),
});

/** Returns path and query of a view. */
export const toUrl = ({ tab, search, role, status, sort, page, open }: View): string => {
  if (tab === 'roles') return '/users?tab=roles';
  return writeUrl('/users', {
    search,
    role: role === 'all' ? undefined : role,
    status: status === 'all' ? undefined : status,
    sort: sort === 'createdAt' ? undefined : sort,
    page: page === 1 ? undefined : page,
    ...(open === 'new' ? { new: 'user' } : { open }),
  });
};

/** Returns whether a view leaves users out. */
export const isFiltered = ({ search, role, status }: View): boolean =>
  search.trim() !== '' || role !== 'all' || status !== 'all';
