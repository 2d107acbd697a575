import { type ReadonlySignal, signal } from '@preact/signals';

/** What a page shows, as its address says: search, filters, order, page and the open record. */
export interface UrlState<View> {
  readonly view: ReadonlySignal<View>;
  /**
   * Shows something else. `push` adds a step that Back undoes, for records that open and other pages; `replace` does not,
   * for what is typed.
   */
  change(next: Partial<View>, how?: 'push' | 'replace'): void;
  /** Closes what `change` has opened with a step of its own: goes back, or if the page began so, changes the view. */
  close(next: Partial<View>): void;
}

interface UrlStateOptions<View> {
  /** Parses a query. Ignores unknown values. */
  readonly parse: (query: URLSearchParams) => View;
  /** Returns path and query. */
  readonly toUrl: (view: View) => string;
  /** Called after every change, those by Back and Forward too. */
  readonly onChange?: (next: View, before: View) => unknown;
}

/** Keeps what a page shows in its address. */
export const createUrlState = <View extends object>(
  options: UrlStateOptions<View>,
): UrlState<View> => {
  const { parse, toUrl, onChange } = options;
  const read = () => parse(new URLSearchParams(location.search));
  const view = signal(read());
  const show = (next: View) => {
    const before = view.value;
    view.value = next;
    onChange?.(next, before);
  };
  addEventListener('popstate', () => show(read()));
  const change = (some: Partial<View>, how: 'push' | 'replace' = 'replace') => {
    const next = { ...view.value, ...some };
    const url = toUrl(next);
    if (how === 'push') history.pushState({ isOwn: true }, '', url);
    else history.replaceState(history.state, '', url);
    show(next);
  };
  const close = (next: Partial<View>) => {
    if (history.state?.isOwn) history.back();
    else change(next);
  };
  return { view, change, close };
};
