import { writeUrl } from '../../browser/data/query.ts';

/** The types of notifications, as the page orders them. */
export const types = ['message', 'user', 'task', 'alert', 'system'] as const;

/** What the page lists: the API takes one filter at a time. */
export const filters = ['all', 'unread', ...types] as const;

export type Filter = (typeof filters)[number];

/** The state of the notifications page. */
export interface View {
  readonly show: Filter;
  readonly open: 'settings' | undefined;
}

/** Parses the query of the page. Ignores unknown values. */
export const parseView = (query: URLSearchParams): View => ({
  show: filters.find((one) => one === query.get('show')) ?? 'all',
  open: query.get('open') === 'settings' ? 'settings' : undefined,
});

/** Returns path and query of a view. */
export const toUrl = ({ show, open }: View): string =>
  writeUrl('/notifications', { show: show === 'all' ? undefined : show, open });
