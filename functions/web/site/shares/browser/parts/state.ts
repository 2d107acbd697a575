import { computed, signal } from '@preact/signals';
import type { Item } from '../../../../browser/client/endpoints.ts';
import type { RowKey } from '../../../../browser/components/table.tsx';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createPagedList } from '../../../../browser/data/paged-list.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { matchesView, parseView, toUrl, type View } from '../../view.ts';

export type Share = Item<'GET /api/share'>;

/** The maximum page size of the API. */
const pageSize = 100;
/** The number of newest shares that a filter covers: the API can't search shares. */
const maxFiltered = 1_000;

/** All shares of the user that are loaded, the newest first. */
export const list = createPagedList<Share>(async (start) => {
  const query = { mine: 'true', pageSize, ...('cursor' in start && start) } as const;
  const page = await api.call('GET /api/share', { query });
  if (!('items' in page)) throw new Error('The API returned no list');
  return page;
});

const deletions = createDeletions<Share, string>({
  items: list.items,
  getId: ({ id }) => id,
  getName: getShareName,
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/share/{id}', { params: { id }, keepalive }),
});

export const selection = signal<ReadonlySet<RowKey>>(new Set());

export const isFiltered = ({ search, status }: View): boolean =>
  search.trim() !== '' || status !== 'all';

let isLoadingRest = false;

/** Loads what a filter covers. */
const loadRest = async (): Promise<void> => {
  if (isLoadingRest) return;
  isLoadingRest = true;
  const isWanted = () =>
    isFiltered(url.view.value) &&
    list.hasNext.value &&
    list.failure.value === undefined &&
    (list.items.value?.length ?? 0) < maxFiltered;
  while (isWanted()) await list.loadMore();
  isLoadingRest = false;
};

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  onChange: () => {
    selection.value = new Set();
    void loadRest();
  },
});

/** The shares to show. */
export const shown = computed(() =>
  list.items.value?.filter(
    (share) => !deletions.hidden.value.has(share.id) && matchesView(share, url.view.value),
  ),
);

/** Loads the first shares, and what the filter covers. */
export const loadShares = async (): Promise<void> => {
  await list.load(1);
  await loadRest();
};

/** Deletes shares, which can be undone for some seconds. */
export const remove = (shares: readonly Share[]): void => {
  selection.value = new Set();
  deletions.remove(shares);
};
