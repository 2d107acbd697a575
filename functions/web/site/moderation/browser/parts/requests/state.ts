import { computed } from '@preact/signals';
import type { Item } from '../../../../../browser/client/endpoints.ts';
import { createPagedList } from '../../../../../browser/data/paged-list.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { createDecisions } from '../decisions.ts';
import { pageSize, view } from '../state.ts';

export type ReportedRequest = Item<'GET /api/shares/requests'>;

/** The reported requests, the longest waiting first. */
export const list = createPagedList<ReportedRequest>((start) =>
  api.call('GET /api/shares/requests', {
    query: { pageSize, ...('cursor' in start && start) },
  }),
);

/** The open request, if the list has it. */
export const opened = computed(() => list.items.value?.find(({ id }) => id === view.value.open));

/** The decisions about requests. */
export const { decided, shown, decide } = createDecisions<ReportedRequest, ReportedRequest>({
  list,
  getOpen: () => opened.value,
  getName: ({ title }) => title,
  isWaiting: () => true,
  send: ({ id, version }, { decision, reason, keepalive }) =>
    api.call('PUT /api/shares/requests/{id}/decision', {
      params: { id },
      body: { decision, reason },
      ifMatch: version,
      keepalive,
    }),
  reload: () => list.load(1),
});
