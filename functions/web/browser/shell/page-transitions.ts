import { isCarriedOver } from './carried-over.ts';

/** Ignores that a transition ends early, such as when the user goes on at once. */
const ignoreEnd = ({ ready, finished, updateCallbackDone }: ViewTransition): void => {
  for (const step of [ready, finished, updateCallbackDone]) step.catch(() => {});
};

/**
 * Keeps transitions between pages from failing. A page that takes no part reports an error that nothing there can catch,
 * so the page before ends the transition. The opt-in of the styles can’t depend on where a link leads.
 */
export const startPageTransitions = (): void => {
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (!viewTransition) return;
    ignoreEnd(viewTransition);
    if (!isCarriedOver(activation?.entry.url ?? location.href)) viewTransition.skipTransition();
  });
  addEventListener('pagereveal', ({ viewTransition }) => {
    if (viewTransition) ignoreEnd(viewTransition);
  });
};
