import { chooseOne, writeUrl } from '../../browser/data/query.ts';

/** The shares that a filter shows; `ended` are all that no one can open any more. */
export const statuses = ['all', 'active', 'ended'] as const;

/** The state of the shares page. */
export interface View {
  readonly search: string;
  readonly status: (typeof statuses)[number];
}

/** Parses the query of the page. */
export const parseView = (query: URLSearchParams): View => ({
  search: query.get('search') ?? '',
  status: chooseOne(statuses, query.get('status')),
});

/** Returns path and query of a view. */
export const toUrl = ({ search, status }: View): string =>
  writeUrl('/shares', { search, status: status === 'all' ? undefined : status });

/** The fields of a share that a view depends on. */
export interface FilterableShare {
  readonly title: string | null;
  readonly description: string | null;
  readonly status: string;
}

/** Returns whether a share has every word of the search in its title or description, ignoring case, and the status. */
export const matchesView = (share: FilterableShare, { search, status }: View): boolean => {
  if (status !== 'all' && (share.status === 'active') !== (status === 'active')) return false;
  const text = `${share.title ?? ''} ${share.description ?? ''}`.toLocaleLowerCase();
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
