import { computed, signal } from '@preact/signals';
import type { Item } from '../../../../browser/client/endpoints.ts';
import type { RowKey } from '../../../../browser/components/table.tsx';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createPagedList } from '../../../../browser/data/paged-list.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { isOfPage, matchesView, parseView, sortShares, toUrl, type View } from '../../view.ts';

export type Share = Item<'GET /api/share'>;

/** The maximum page size of the API. */
const pageSize = 100;
/** The number of shares that the page searches and sorts: the API can't. */
const maxLoaded = 1_000;
/** A page by status can be short. So many rows are loaded before the user has to ask for more, by this many requests. */
const wantedRows = 25;
const maxRequests = 20;

/** The query of the list: what the API filters and sorts by. */
const toQuery = ({ status, sort }: View) => ({
  ...(status !== 'all' && { status }),
  ...(sort === '-createdAt' && { sort }),
});

/** The user's shares that are loaded, the newest first, or the oldest. */
export const list = createPagedList<Share>(async (start) => {
  const query = {
    mine: 'true',
    pageSize,
    ...toQuery(url.view.value),
    ...('cursor' in start && start),
  } as const;
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

/** The shares that are being ended, which the list shows as ended. */
export const ending = signal<ReadonlySet<string>>(new Set());

let isLoadingRest = false;

/** Loads what the page searches and sorts, and what fills a list by status. */
const loadRest = async (): Promise<void> => {
  if (isLoadingRest) return;
  isLoadingRest = true;
  let requests = 0;
  const isWanted = () => {
    const loaded = list.items.value?.length ?? 0;
    const isShort = loaded < wantedRows && requests < maxRequests;
    const isAll = isOfPage(url.view.value) && loaded < maxLoaded;
    return list.hasNext.value && list.failure.value === undefined && (isShort || isAll);
  };
  while (isWanted()) {
    requests += 1;
    await list.loadMore();
  }
  isLoadingRest = false;
};

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  onChange: (next, before) => {
    selection.value = new Set();
    if (JSON.stringify(toQuery(next)) === JSON.stringify(toQuery(before))) return void loadRest();
    list.items.value = undefined;
    void loadShares();
  },
});

/** The shares to show. */
export const shown = computed(() => {
  const shares = list.items.value
    ?.filter(({ id }) => !deletions.hidden.value.has(id))
    .map((share) => (ending.value.has(share.id) ? ({ ...share, status: 'ended' } as const) : share))
    .filter((share) => matchesView(share, url.view.value));
  return shares && sortShares(shares, url.view.value.sort);
});

/** Loads the first shares, and what the view covers. */
export const loadShares = async (): Promise<void> => {
  await list.load(1);
  await loadRest();
};

/** Shows shares as they are now. */
export const update = (shares: readonly Pick<Share, 'id'>[]): void => {
  const changed = new Map(shares.map((share) => [share.id, share]));
  list.items.value = list.items.value?.map((share) => ({ ...share, ...changed.get(share.id) }));
};

/** Deletes shares, which can be undone for some seconds. */
export const remove = (shares: readonly Share[]): void => {
  selection.value = new Set();
  deletions.remove(shares);
};
