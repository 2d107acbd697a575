import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** What lists of the API answer. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string | null | undefined;
  readonly total?: number | undefined;
  readonly totalIsExact?: boolean | undefined;
}

/** Where a page begins: by its number, or after the page before. */
export type PageStart = { readonly page: number } | { readonly cursor: string };

/** A list by pages. */
export interface PagedList<Item> {
  /** The items of the page, or of all pages so far. */
  readonly items: Signal<readonly Item[] | undefined>;
  readonly total: Signal<number | undefined>;
  readonly totalIsExact: ReadonlySignal<boolean>;
  readonly failure: ReadonlySignal<Error | undefined>;
  readonly isLoading: ReadonlySignal<boolean>;
  readonly hasNext: ReadonlySignal<boolean>;
  /** The page that is shown, from 1. */
  readonly page: ReadonlySignal<number>;
  /** Loads a page, by default the one that is shown; if its query has changed, start with 1. */
  load(page?: number): Promise<void>;
  /** Appends the next page. */
  loadMore(): Promise<void>;
}

/**
 * Creates a list from a read of the API. Pages already passed are read by their cursors, whose cost is the same for each;
 * others by their number, which the API allows for the first 10,000 items. Ignores all responses but the latest.
 */
export const createPagedList = <Item>(
  read: (start: PageStart) => Promise<ListPage<Item>>,
): PagedList<Item> => {
  const items = signal<readonly Item[] | undefined>(undefined);
  const total = signal<number | undefined>(undefined);
  const totalIsExact = signal(true);
  const failure = signal<Error | undefined>(undefined);
  const isLoading = signal(false);
  const hasNext = signal(false);
  const page = signal(1);
  /** The cursor of each page that is known. */
  let cursors = new Map<number, string>();
  let latest = 0;

  const loadPage = async (number: number, isAppended: boolean) => {
    latest += 1;
    const own = latest;
    isLoading.value = true;
    const cursor = cursors.get(number);
    try {
      const result = await read(cursor === undefined ? { page: number } : { cursor });
      if (own !== latest) return;
      if (result.nextCursor) cursors.set(number + 1, result.nextCursor);
      batch(() => {
        items.value = isAppended ? [...(items.value ?? []), ...result.items] : result.items;
        if (result.total !== undefined) total.value = result.total;
        totalIsExact.value = result.totalIsExact ?? true;
        hasNext.value = Boolean(result.nextCursor);
        page.value = number;
        failure.value = undefined;
        isLoading.value = false;
      });
    } catch (error) {
      if (own !== latest) return;
      failure.value = error as Error;
      isLoading.value = false;
    }
  };

  return {
    items,
    total,
    totalIsExact,
    failure,
    isLoading,
    hasNext,
    page,
    load: (number = page.value) => {
      if (number === 1) cursors = new Map();
      return loadPage(number, false);
    },
    loadMore: () => (hasNext.value ? loadPage(page.value + 1, true) : Promise.resolve()),
  };
};
