/** Pages that carry nothing over, such as shares and what the API answers. Browsers report a transition to them as aborted. */
const isPlain = (url: string | null | undefined): boolean => {
  const { pathname } = new URL(url ?? '', location.href);
  return /^\/(api|s)\//.test(pathname) && pathname !== '/api/docs';
};

/** A transition may end early, such as when the user goes on at once. That is no failure. */
const ignoreEnd = ({ ready, finished, updateCallbackDone }: ViewTransition): void => {
  for (const step of [ready, finished, updateCallbackDone]) step.catch(() => {});
};

/** Keeps transitions between pages from failing. */
export const startPageTransitions = (): void => {
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (!viewTransition) return;
    ignoreEnd(viewTransition);
    if (isPlain(activation?.entry.url)) viewTransition.skipTransition();
  });
  addEventListener('pagereveal', ({ viewTransition }) => {
    if (viewTransition) ignoreEnd(viewTransition);
  });
};
