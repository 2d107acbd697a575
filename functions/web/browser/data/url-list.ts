import { signal } from '@preact/signals';
import type { RowKey } from '../components/table.tsx';
import { createPagedList, type ListPage, type PageStart } from './paged-list.ts';
import { createUrlState } from './url-state.ts';

interface UrlListOptions<View, Item> {
  /** Parses a query. Ignores unknown values. */
  readonly parse: (query: URLSearchParams) => View;
  /** Returns path and query. */
  readonly toUrl: (view: View) => string;
  /** Returns what selects and sorts the list: if that changes, it is another one. */
  readonly listOf: (view: View) => unknown;
  readonly read: (view: View, start: PageStart) => Promise<ListPage<Item>>;
}

/** Creates a list by pages that shows what the address says, with the selection of its rows. */
export const createUrlList = <
  View extends { readonly page: number },
  Item extends { readonly id: number },
>(
  options: UrlListOptions<View, Item>,
) => {
  const { parse, toUrl, listOf, read } = options;
  const selection = signal<ReadonlySet<RowKey>>(new Set());
  const keyOf = (view: View): string => JSON.stringify(listOf(view));
  const url = createUrlState<View>({
    parse,
    toUrl,
    onChange: (next, before) => {
      const isOther = keyOf(next) !== keyOf(before);
      if (!isOther && next.page === before.page) return;
      selection.value = new Set();
      if (isOther) list.items.value = undefined;
      void list.load(next.page);
    },
  });
  const list = createPagedList<Item>((start) => read(url.view.value, start));
  /** Shows an item as it is now. */
  const show = (item: Item): void => {
    list.items.value = list.items.value?.map((one) => (one.id === item.id ? item : one));
  };
  return { url, view: url.view, list, selection, show };
};
