import { containsWords } from '../../../../shared/text/fold.ts';
import { compareNames } from '../../../../shared/text/sort-name.ts';
import { chooseOne, writeUrl } from '../../browser/data/query.ts';
import type { Direction } from '../../browser/data/sort-order.ts';

/** The shares that a filter shows. */
export const statuses = ['all', 'active', 'ended', 'taken-down'] as const;

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

/** The direction of each field without `-`. */
export const natural = {
  createdAt: 'descending',
  title: 'ascending',
  views: 'descending',
  expiresAt: 'ascending',
} as const satisfies Readonly<Record<string, Direction>>;

/** The state of the shares page. */
export interface View {
  readonly search: string;
  readonly status: (typeof statuses)[number];
  readonly sort: Sort;
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => ({
  search: query.get('search') ?? '',
  status: chooseOne(statuses, query.get('status')),
  sort: chooseOne(sorts, query.get('sort')),
});

/** Returns path and query of a view. */
export const toUrl = ({ search, status, sort }: View): string =>
  writeUrl('/shares', {
    search,
    status: status === 'all' ? undefined : status,
    sort: sort === 'createdAt' ? undefined : sort,
  });

/** Returns whether a view leaves shares out. */
export const isFiltered = ({ search, status }: View): boolean =>
  search.trim() !== '' || status !== 'all';

/** Returns whether the page searches or sorts itself, because the API can't. */
export const isOfPage = ({ search, sort }: View): boolean =>
  search.trim() !== '' || !sort.endsWith('createdAt');

/** The fields of a share that a view depends on. */
export interface FilterableShare {
  readonly title: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** Returns whether a share has every word of the search in its title or description, and the status. */
export const matchesView = (
  share: FilterableShare,
  { search, status }: Pick<View, 'search' | 'status'>,
): boolean => {
  if (status !== 'all' && share.status !== status) return false;
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

/** Those without a title are last. */
const compareTitles = (one: SortableShare, other: SortableShare): number => {
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
