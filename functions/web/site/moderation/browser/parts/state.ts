import { effect, signal } from '@preact/signals';
import type { Data, Item } from '../../../../browser/client/endpoints.ts';
import { createUrlList } from '../../../../browser/data/record-list.ts';
import { api } from '../../../../browser/shell/api.ts';
import { parseView, toUrl, type View } from '../../view.ts';

export type Share = Item<'GET /api/shares'>;
export type Detail = Data<'GET /api/shares/{id}'>;

export const pageSize = 50;

/** Returns the filter as the API takes it. */
export const toQuery = ({ list: name, owner }: Pick<View, 'list' | 'owner'>) => ({
  ...(name === 'reported' && { reported: 'true' as const }),
  ...(owner !== undefined && { ownerId: String(owner) }),
});

/** The shares, as the view says: reported ones are listed the longest waiting first. */
export const { url, view, list } = createUrlList<View, Share>({
  parse: parseView,
  toUrl,
  read: async ({ list: name, owner }, start) => {
    // Requests have a list of their own.
    if (name === 'requests') return { items: [] };
    return api.call('GET /api/shares', {
      query: { ...toQuery({ list: name, owner }), pageSize, ...('cursor' in start && start) },
    });
  },
});

/** Opens what has this id. Closing it goes back to what was there. */
export const open = (id: string): void =>
  url.change({ open: id }, view.value.open === undefined ? 'push' : 'replace');

/** The open share, or why it can’t be shown. */
export const detail = signal<
  | {
      readonly id: string;
      readonly data?: Detail;
      readonly failure?: Error;
    }
  | undefined
>(undefined);

/** Loads the open share again. What is shown stays meanwhile. */
export const loadDetail = async (id: string): Promise<void> => {
  try {
    const data = await api.call('GET /api/shares/{id}', { params: { id } });
    if (view.value.open === id) detail.value = { id, data };
  } catch (error) {
    if (view.value.open === id) detail.value = { id, failure: error as Error };
  }
};

effect(() => {
  const { list: name, open: id } = view.value;
  const open = name === 'requests' ? undefined : id;
  if (detail.peek()?.id === open) return;
  detail.value = open === undefined ? undefined : { id: open };
  if (open !== undefined) void loadDetail(open);
});
