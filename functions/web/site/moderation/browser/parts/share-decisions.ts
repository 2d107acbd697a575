import { getShareName } from '../../../../browser/data/share-name.ts';
import { api } from '../../../../browser/shell/api.ts';
import { createDecisions } from './decisions.ts';
import { type Detail, detail, list, loadDetail, type Share, view } from './state.ts';

/** The decisions about shares. */
export const { decided, shown, decide } = createDecisions<Share, Detail>({
  list,
  getOpen: () => detail.value?.data,
  getName: getShareName,
  isWaiting: () => view.value.list === 'reported',
  send: ({ id, version }, { decision, reason, keepalive }) =>
    api.call('PUT /api/shares/{id}/decision', {
      params: { id },
      body: { decision, reason },
      ifMatch: version,
      keepalive,
    }),
  reload: loadDetail,
});
