import type { PagedList } from '../../../../browser/data/paged-list.ts';

/** The number of shares that the page searches and sorts: the API can't. */
const maxLoaded = 1_000;
/** A page can be short. So many rows are loaded before the user has to ask for more, by this many requests. */
const wantedRows = 25;
const maxRequests = 20;

/** Creates what loads further pages of a list: all that the page searches and sorts, or what fills the first page. */
export const createFilling = (
  list: Pick<PagedList<unknown>, 'items' | 'hasNext' | 'failure' | 'loadMore'>,
  isAllWanted: () => boolean,
): (() => Promise<void>) => {
  let isLoading = false;
  return async () => {
    if (isLoading) return;
    isLoading = true;
    let requests = 0;
    const isWanted = () => {
      const loaded = list.items.value?.length ?? 0;
      const isShort = loaded < wantedRows && requests < maxRequests;
      const isAll = isAllWanted() && loaded < maxLoaded;
      return list.hasNext.value && list.failure.value === undefined && (isShort || isAll);
    };
    while (isWanted()) {
      requests += 1;
      await list.loadMore();
    }
    isLoading = false;
  };
};
