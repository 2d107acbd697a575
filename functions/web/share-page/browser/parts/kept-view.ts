/** As long as the token is valid. ms. */
const lifetimeMs = 60_000;

const toKey = ({ pathname }: URL): string => `view ${pathname}`;

const toAddress = ({ pathname, search, hash }: URL): string => pathname + search + hash;

/** A copied address must not open the view elsewhere: takes its token out, and keeps it in this tab for reloads and Back. */
export const keepView = (): void => {
  const url = new URL(location.href);
  const view = url.searchParams.get('view');
  if (view === null) return;
  try {
    sessionStorage.setItem(toKey(url), JSON.stringify({ view, until: Date.now() + lifetimeMs }));
  } catch {
    // Without storage, the address is all that a reload has.
    return;
  }
  url.searchParams.delete('view');
  history.replaceState(history.state, '', toAddress(url));
};

/** Returns the address of the view that this tab was given in the last minute, once. */
export const takeView = (): string | undefined => {
  const url = new URL(location.href);
  const key = toKey(url);
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  // A token that was refused isn't tried again.
  if (kept === null || url.searchParams.has('view')) return undefined;
  const { view, until } = JSON.parse(kept) as { readonly view: string; readonly until: number };
  if (until < Date.now()) return undefined;
  url.searchParams.set('view', view);
  return toAddress(url);
};
