import { type ReadonlySignal, signal } from '@preact/signals';
import { leave } from '../shell/unsaved.ts';

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

export interface UrlStateOptions<View> {
  /** Parses a query. Ignores unknown values. */
  readonly parse: (query: URLSearchParams) => View;
  /** Returns path and query. */
  readonly toUrl: (view: View) => string;
  /** Returns what forms on the page are of: if that changes, they ask first. By default, the open record. */
  readonly getFormOf?: (view: View) => unknown;
  /** Called after every change, those by Back and Forward too. */
  readonly onChange?: (next: View, before: View) => unknown;
}

const getOpen = (view: object): unknown => ('open' in view ? view.open : undefined);

/** Keeps what a page shows in its address. What would lose changes of a form waits until the user agrees. */
export const createUrlState = <View extends object>(
  options: UrlStateOptions<View>,
): UrlState<View> => {
  const { parse, toUrl, getFormOf = getOpen, onChange } = options;
  const read = () => parse(new URLSearchParams(location.search));
  const view = signal(read());
  /** The state of the step that is shown. */
  let { state } = history;
  const show = (next: View) => {
    const before = view.value;
    view.value = next;
    state = history.state;
    onChange?.(next, before);
  };
  const isOther = (next: View) =>
    JSON.stringify(getFormOf(next)) !== JSON.stringify(getFormOf(view.value));
  /** Goes on at once, or once the user agrees. Returns whether it was at once. */
  const leaveFor = (next: View, go: () => void): boolean => {
    if (isOther(next)) return leave(go);
    go();
    return true;
  };
  addEventListener('popstate', () => {
    const next = read();
    let isPutBack = false;
    const isAtOnce = leaveFor(next, () => {
      if (isPutBack) history.back();
      else show(next);
    });
    if (isAtOnce) return;
    // The browser is there already: what is still shown becomes the step after it, from where Back leads there again.
    isPutBack = true;
    history.pushState(state, '', toUrl(view.value));
  });
  const change = (some: Partial<View>, how: 'push' | 'replace' = 'replace') => {
    const next = { ...view.value, ...some };
    leaveFor(next, () => {
      const url = toUrl(next);
      if (how === 'push') history.pushState({ isOwn: true }, '', url);
      else history.replaceState(history.state, '', url);
      show(next);
    });
  };
  const close = (next: Partial<View>) => {
    if (history.state?.isOwn) history.back();
    else change(next);
  };
  return { view, change, close };
};
