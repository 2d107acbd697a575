import { audiences } from '../../../../shared/permissions/audiences.ts';
import { containsWords } from '../../../../shared/text/fold.ts';
import { compareNames } from '../../../../shared/text/sort-name.ts';
import { chooseOne, toInteger, writeUrl } from '../../browser/data/query.ts';
import type { Direction } from '../../browser/data/sort-order.ts';

/** What is listed: the user’s own shares, what others share with the user, or what the user asks others for. */
export const lists = ['mine', 'me', 'requests'] as const;

/** The shares that a filter shows. */
export const statuses = ['all', 'active', 'ended', 'taken-down'] as const;
export const whoFilters = ['all', ...audiences.toReversed()] as const;

/** The newest first, or by another field; `-` reverses. */
export const sorts = [
  'createdAt',
  '-createdAt',
  'title',
  '-title',
  'views',
  '-views',
  'expiresAt',
  '-expiresAt',
] as const;
export type Sort = (typeof sorts)[number];

/** The orders of the shares for the user: `createdAt` is when they were shared. */
export const receivedSorts = [
  'createdAt',
  '-createdAt',
  'title',
  '-title',
] as const satisfies readonly Sort[];

/** The direction of each field without `-`. */
export const natural = {
  createdAt: 'descending',
  title: 'ascending',
  views: 'descending',
  expiresAt: 'ascending',
} as const satisfies Readonly<Record<string, Direction>>;

/** The parts of the drawer of a share. */
export const tabs = ['details', 'people', 'links', 'views'] as const;
export type TabName = (typeof tabs)[number];

/** The state of the shares page. */
export interface View {
  readonly with: (typeof lists)[number];
  readonly search: string;
  readonly status: (typeof statuses)[number];
  readonly who: (typeof whoFilters)[number];
  /** The id of the user who shares. */
  readonly from: number | undefined;
  readonly sort: Sort;
  /** The id of the share or the request that is open. */
  readonly open: string | undefined;
  readonly tab: TabName;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => {
  const whose = chooseOne(lists, query.get('with'));
  const allSorts = whose === 'me' ? receivedSorts : sorts;
  return {
    with: whose,
    search: query.get('search') ?? '',
    status: chooseOne(statuses, query.get('status')),
    who: chooseOne(whoFilters, query.get('who')),
    from: toInteger(query.get('from')),
    sort: chooseOne<Sort>(allSorts, query.get('sort')),
    open: /^[\w-]{1,64}$/.exec(query.get('open') ?? '')?.[0],
    tab: chooseOne(tabs, query.get('tab')),
  };
};

/** Returns path and query of a view. */
export const toUrl = (view: View): string => {
  const { with: whose, search, status, who, from, sort, open, tab } = view;
  return writeUrl('/shares', {
    with: whose === 'mine' ? undefined : whose,
    search,
    status: status === 'all' ? undefined : status,
    who: who === 'all' ? undefined : who,
    from,
    sort: sort === 'createdAt' ? undefined : sort,
    open,
    tab: open === undefined || tab === 'details' ? undefined : tab,
  });
};

/** What clears the search and all filters. */
export const unfiltered = { search: '', status: 'all', who: 'all', from: undefined } as const;

/** Returns the view of another list, with nothing that only the first has. */
export const toList = (whose: View['with']): View => ({
  ...parseView(new URLSearchParams()),
  with: whose,
});

/** Returns whether a view leaves shares out. */
export const isFiltered = ({ search, status, who, from }: View): boolean =>
  search.trim() !== '' || status !== 'all' || who !== 'all' || from !== undefined;

/** Returns whether the page searches, filters or sorts itself, because the API can't. */
export const isOfPage = ({ search, who, from, sort }: View): boolean =>
  search.trim() !== '' || who !== 'all' || from !== undefined || !sort.endsWith('createdAt');

/** The fields of a share that a view depends on. */
export interface FilterableShare {
  readonly title: string | null;
  readonly description: string | null;
  readonly status: string;
  readonly audience: string;
}

/** Returns whether a share has every word of the search in its title or description, the status and the audience. */
export const matchesView = (
  share: FilterableShare,
  { search, status, who }: Pick<View, 'search' | 'status' | 'who'>,
): boolean => {
  if (status !== 'all' && share.status !== status) return false;
  if (who !== 'all' && share.audience !== who) return false;
  return containsWords(`${share.title ?? ''} ${share.description ?? ''}`, search);
};

/** The fields of a share that its place depends on. */
export interface SortableShare {
  readonly title: string | null;
  readonly views: number;
  readonly expiresAt: string | null;
  readonly status: string;
}

/** When a share will end, in ms since 1970: one without an end is after all others, and an ended one after that. */
const endOf = ({ status, expiresAt }: SortableShare): number => {
  if (status !== 'active') return Number.MAX_VALUE;
  return expiresAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(expiresAt);
};

interface Titled {
  readonly title: string | null;
}

/** Those without a title are last. */
export const compareTitles = (one: Titled, other: Titled): number => {
  if (one.title === null || other.title === null) {
    return Number(one.title === null) - Number(other.title === null);
  }
  return compareNames(one.title, other.title);
};

const comparisons = {
  title: compareTitles,
  views: (one: SortableShare, other: SortableShare) => other.views - one.views,
  expiresAt: (one: SortableShare, other: SortableShare) => endOf(one) - endOf(other),
};

/** Sorts shares that the API has sorted by creation. */
export const sortShares = <Share extends SortableShare>(
  shares: readonly Share[],
  sort: Sort,
): readonly Share[] => {
  const compare = comparisons[sort.replace('-', '') as keyof typeof comparisons];
  if (compare === undefined) return shares;
  const sign = sort.startsWith('-') ? -1 : 1;
  return shares.toSorted((one, other) => sign * compare(one, other));
};

const dayMs = 86_400_000;

/** Returns whether an active share expires within a day. */
export const endsSoon = ({ status, expiresAt }: SortableShare, now = Date.now()): boolean =>
  status === 'active' && expiresAt !== null && Date.parse(expiresAt) < now + dayMs;

/** The fields of a share for the user that a view depends on. */
export interface ReceivedLike {
  readonly title: string | null;
  readonly from: { readonly id: number; readonly name: string };
}

/** Returns whether a share has every word of the search in its title or the name of who shares it, who may be filtered by. */
export const matchesReceived = (
  { title, from }: ReceivedLike,
  view: Pick<View, 'search' | 'from'>,
): boolean =>
  (view.from === undefined || view.from === from.id) &&
  containsWords(`${title ?? ''} ${from.name}`, view.search);

/** Sorts shares for the user that the API has sorted by when they were shared. */
export const sortReceived = <Share extends ReceivedLike>(
  shares: readonly Share[],
  sort: Sort,
): readonly Share[] => {
  if (!sort.endsWith('title')) return shares;
  const sign = sort === 'title' ? 1 : -1;
  return shares.toSorted((one, other) => sign * compareTitles(one, other));
};

/** Returns what an export of the user's shares takes out: those that are searched and filtered, in the order of the API. */
export const toExportQuery = ({ search, status, who, sort }: View) => ({
  mine: 'true',
  ...(search.trim() !== '' && { search }),
  ...(status !== 'all' && { status }),
  ...(who !== 'all' && { audience: who }),
  ...(sort === '-createdAt' && { sort }),
});
