import { computed, signal } from '@preact/signals';
import type { Data, Item } from '../../../../../browser/client/endpoints.ts';
import { createDeletions } from '../../../../../browser/data/deletions.ts';
import { createPagedList } from '../../../../../browser/data/paged-list.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { pageSize, url } from '../state.ts';

export type ShareRequest = Item<'GET /api/share/requests'>;
export type RequestDetail = Data<'GET /api/share/requests/{id}'>;

/** The user's requests that are loaded, the newest first. */
export const list = createPagedList<ShareRequest>((start) =>
  api.call('GET /api/share/requests', {
    query: { pageSize, ...('cursor' in start && start) },
  }),
);

/** The request that the drawer shows, with what was handed in. */
export const opened = signal<RequestDetail | undefined>(undefined);

const deletions = createDeletions<ShareRequest, string>({
  items: list.items,
  getId: ({ id }) => id,
  getName: ({ title }) => title,
  send: ({ id }, { keepalive }) =>
    api.call('DELETE /api/share/requests/{id}', { params: { id }, keepalive }),
});

/** The requests to show. */
export const shown = computed(() =>
  list.items.value?.filter(({ id }) => !deletions.hidden.value.has(id)),
);

/** Shows a request as it is now. */
export const update = (request: ShareRequest): void => {
  const { id } = request;
  list.items.value = list.items.value?.map((one) => (one.id === id ? { ...one, ...request } : one));
  if (opened.value?.id === id) opened.value = { ...opened.value, ...request };
};

/** Shows a request that is new. */
export const add = (request: ShareRequest): void => {
  list.items.value = [request, ...(list.items.value ?? [])];
};

/** Opens a request beside the list. */
export const open = ({ id }: Pick<ShareRequest, 'id'>): void =>
  url.change({ open: id }, url.view.value.open === undefined ? 'push' : 'replace');

/** Deletes a request, which can be undone for some seconds. */
export const remove = (request: ShareRequest): void => {
  if (url.view.value.open === request.id) url.close({ open: undefined });
  deletions.remove([request]);
};
