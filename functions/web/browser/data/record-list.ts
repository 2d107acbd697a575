import { batch, type Signal, signal } from '@preact/signals';
import type { RowKey } from '../components/table.tsx';
import { createPagedList, type ListPage, type PagedList, type PageStart } from './paged-list.ts';
import { createUrlState, type UrlState, type UrlStateOptions } from './url-state.ts';

/** A record of the API, with the version that its ETag names. */
export interface Versioned {
  readonly id: number;
  readonly version: number;
}

/** Keeps records as they were last read or saved on the page, for rows, drawers and actions alike. */
export interface Records<Stored> {
  /** Returns the newest version that the page knows. */
  find(id: number): Stored | undefined;
  /** Knows a record even if the list shows others. */
  keep(record: Stored): void;
  /** Shows a version that the page has read or saved; an older one than the known changes nothing. */
  show(record: Stored): void;
  /** Whether a version is from `show`: not one that only a list brought. */
  isShown(record: Stored): boolean;
}

/** Creates the records of a list. */
export const createRecords = <Stored extends Versioned>(
  items: Signal<readonly Stored[] | undefined>,
): Records<Stored> => {
  const known = signal<ReadonlyMap<number, Stored>>(new Map());
  const shown = new WeakSet<Stored>();
  const find = (id: number): Stored | undefined => {
    const listed = items.value?.find((one) => one.id === id);
    const kept = known.value.get(id);
    return listed && listed.version > (kept?.version ?? 0) ? listed : kept;
  };
  const keep = (record: Stored): void => {
    known.value = new Map(known.peek()).set(record.id, record);
  };
  const show = (record: Stored): void => {
    if ((find(record.id)?.version ?? 0) > record.version) return;
    shown.add(record);
    batch(() => {
      keep(record);
      items.value = items.value?.map((one) => (one.id === record.id ? record : one));
    });
  };
  return { find, keep, show, isShown: (record) => shown.has(record) };
};

interface UrlListOptions<View, Item> extends UrlStateOptions<View> {
  /** Returns what filters and sorts the list: if that changes, it is another one. By default, all but what is open. */
  readonly getList?: (view: View) => unknown;
  readonly read: (view: View, start: PageStart) => Promise<ListPage<Item>>;
}

interface UrlList<View, Item> {
  readonly url: UrlState<View>;
  readonly view: UrlState<View>['view'];
  readonly list: PagedList<Item>;
  /** The keys of the selected rows. */
  readonly selection: Signal<ReadonlySet<RowKey>>;
}

const withoutOpen = <View extends object>(view: View): unknown => ({ ...view, open: 0, page: 0 });

const getPage = (view: object): number => ('page' in view ? Number(view.page) : 1);

/** Creates a list by pages that shows what the address says, and the selection of its rows. */
export const createUrlList = <View extends object, Item>(
  options: UrlListOptions<View, Item>,
): UrlList<View, Item> => {
  const { getList = withoutOpen, read, onChange, ...rest } = options;
  const selection = signal<ReadonlySet<RowKey>>(new Set());
  const url = createUrlState<View>({
    ...rest,
    onChange: (next, before) => {
      const isOther = JSON.stringify(getList(next)) !== JSON.stringify(getList(before));
      if (isOther || getPage(next) !== getPage(before)) {
        selection.value = new Set();
        if (isOther) list.items.value = undefined;
        void list.load(getPage(next));
      }
      onChange?.(next, before);
    },
  });
  const list = createPagedList<Item>((start) => read(url.view.value, start));
  return { url, view: url.view, list, selection };
};
