import { computed, signal } from '@preact/signals';
import { compareNames } from '../../../../../../../shared/text/sort-name.ts';
import type { ApiError } from '../../../../../browser/client/api-error.ts';
import type { Item } from '../../../../../browser/client/endpoints.ts';
import { createPagedList } from '../../../../../browser/data/paged-list.ts';
import { findFocusedRow, focusRow } from '../../../../../browser/data/rows.ts';
import { getShareName } from '../../../../../browser/data/share-name.ts';
import { doUndoably } from '../../../../../browser/data/undoable.ts';
import { api } from '../../../../../browser/shell/api.ts';
import { receivedTexts as texts } from '../../../received-texts.ts';
import { isOfPage, matchesReceived, sortReceived } from '../../../view.ts';
import { createFilling } from '../filling.ts';
import { newCount, pageSize, url } from '../state.ts';

export type Received = Item<'GET /api/share/received'>;

/** What the API sorts by. */
const toQuery = (sort: string) => (sort === '-createdAt' ? { sort: '-sharedAt' as const } : {});

/** The shares for the user that are loaded, the newest first, or the oldest. */
export const list = createPagedList<Received>(async (start) => {
  const query = {
    pageSize,
    ...toQuery(url.view.value.sort),
    ...('cursor' in start && start),
  };
  const page = await api.call('GET /api/share/received', { query });
  newCount.value = page.new;
  return page;
});

/** Loads what the page searches and sorts, and what fills a short page. */
export const loadRest = createFilling(list, () => isOfPage(url.view.value));

/** Those that are being removed from the list. */
const removing = signal<ReadonlySet<string>>(new Set());

/** The shares to show. */
export const shown = computed(() => {
  const shares = list.items.value
    ?.filter(({ id }) => !removing.value.has(id))
    .filter((share) => matchesReceived(share, url.view.value));
  return shares && sortReceived(shares, url.view.value.sort);
});

/** Those who share, by name. */
export const senders = computed(() => {
  const all = new Map((list.items.value ?? []).map(({ from }) => [from.id, from.name]));
  return [...all]
    .map(([id, name]) => ({ id, name }))
    .toSorted((one, other) => compareNames(one.name, other.name));
});

/** Marks what is new as seen: only later ones are new at the next visit. */
const markSeen = async (): Promise<void> => {
  if (newCount.value === 0) return;
  const times = (list.items.value ?? []).filter(({ isNew }) => isNew).map((one) => one.sharedAt);
  // What is counted and not listed, such as that of a suspended user, has no time here.
  const until = times.length === newCount.value ? times.toSorted().at(-1) : undefined;
  // Without an answer, they are still new at the next visit.
  await api
    .call('PUT /api/share/received/seen', { body: { ...(until !== undefined && { until }) } })
    .then(() => {
      newCount.value = 0;
    })
    .catch(() => undefined);
};

/** Loads the first shares, and what the view covers. */
export const load = async (): Promise<void> => {
  await list.load(1);
  await loadRest();
  await markSeen();
};

const setRemoving = (id: string, isRemoving: boolean): void => {
  const ids = new Set(removing.value);
  if (isRemoving) ids.add(id);
  else ids.delete(id);
  removing.value = ids;
};

/** Removes a share from the list, which can be undone for some seconds. */
export const remove = (share: Received): void => {
  const { id } = share;
  const name = getShareName(share);
  focusRow(Math.max(findFocusedRow(), 0));
  setRemoving(id, true);
  doUndoably({
    text: texts.removed(name),
    commit: async ({ keepalive }) => {
      setRemoving(id, true);
      await api
        .call('DELETE /api/share/received/{id}', { params: { id }, keepalive })
        .catch((error: ApiError) => {
          // It isn't shared with the user any more.
          if (error.status !== 404) throw error;
        });
      list.items.value = list.items.value?.filter((one) => one.id !== id);
    },
    putBack: () => setRemoving(id, false),
    describeFailure: ({ message }) => texts.notRemoved(name, message),
  });
};
