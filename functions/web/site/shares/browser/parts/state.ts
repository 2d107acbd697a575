import { computed, signal } from '@preact/signals';
import type { Item } from '../../../../browser/client/endpoints.ts';
import type { RowKey } from '../../../../browser/components/table.tsx';
import { createDeletions } from '../../../../browser/data/deletions.ts';
import { createPagedList } from '../../../../browser/data/paged-list.ts';
import { getShareName } from '../../../../browser/data/share-name.ts';
import { createUrlState } from '../../../../browser/data/url-state.ts';
import { api } from '../../../../browser/shell/api.ts';
import { isOfPage, matchesView, parseView, sortShares, toUrl, type View } from '../../view.ts';
import { createFilling } from './filling.ts';

export type Share = Item<'GET /api/share'>;

/** The maximum page size of the API. */
export const pageSize = 100;

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

/** How many of the shares for the user are new since the last visit. */
export const newCount = signal(0);

/** The share that the drawer shows, if the list doesn't have it. */
export const opened = signal<Share | undefined>(undefined);

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

/** Loads what the page searches, filters and sorts, and what fills a list by status. */
const loadRest = createFilling(list, () => isOfPage(url.view.value));

export const url = createUrlState<View>({
  parse: parseView,
  toUrl,
  // The form of a new link is in a tab.
  getFormOf: ({ open, tab }) => [open, tab],
  onChange: (next, before) => {
    if (next.with !== before.with || next.search !== before.search) selection.value = new Set();
    if (next.with !== 'mine') return;
    const isSame = JSON.stringify(toQuery(next)) === JSON.stringify(toQuery(before));
    if (isSame && list.items.value !== undefined) return void loadRest();
    selection.value = new Set();
    list.items.value = undefined;
    void loadShares();
  },
});

/** The number of all shares of the user, while they are shown. */
export const total = computed(() =>
  url.view.value.with === 'mine' ? list.total.value : undefined,
);

const isShown = ({ id }: Share) => !deletions.hidden.value.has(id);

const toShown = (share: Share): Share =>
  ending.value.has(share.id) ? { ...share, status: 'ended' } : share;

/** The shares to show. */
export const shown = computed(() => {
  const shares = list.items.value
    ?.filter(isShown)
    .map(toShown)
    .filter((share) => matchesView(share, url.view.value));
  return shares && sortShares(shares, url.view.value.sort);
});

/** Returns a share as the page knows it, unless it is being deleted. */
export const findShare = (id: string): Share | undefined => {
  const share = [...(list.items.value ?? []), opened.value].find((one) => one?.id === id);
  return share && isShown(share) ? toShown(share) : undefined;
};

/** Loads the first shares, and what the view covers. */
export const loadShares = async (): Promise<void> => {
  await list.load(1);
  await loadRest();
};

/** Shows shares as they are now. */
export const update = (shares: readonly Pick<Share, 'id'>[]): void => {
  const changed = new Map(shares.map((share) => [share.id, share]));
  const toCurrent = (share: Share): Share => ({ ...share, ...changed.get(share.id) });
  list.items.value = list.items.value?.map(toCurrent);
  opened.value = opened.value && toCurrent(opened.value);
};

/** Deletes shares, which can be undone for some seconds. */
export const remove = (shares: readonly Share[]): void => {
  selection.value = new Set();
  const { open } = url.view.value;
  if (shares.some(({ id }) => id === open)) url.close({ open: undefined });
  deletions.remove(shares);
};

/** Counts what is new for the user. Without an answer, there is no number. */
const countNew = async (): Promise<void> => {
  const page = await api
    .call('GET /api/share/received', { query: { pageSize: 1 } })
    .catch(() => undefined);
  if (page) newCount.value = page.new;
};

/** Loads what the address shows. */
export const start = (): void => {
  const { with: whose } = url.view.value;
  if (whose === 'mine') void loadShares();
  if (whose !== 'me') void countNew();
};
