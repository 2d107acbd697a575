import { isCarriedOver } from './carried-over.ts';

/**
 * Keeps transitions between pages from failing. A page that takes no part reports an error that nothing there can catch,
 * so the page before ends the transition. The opt-in of the styles can’t depend on where a link leads.
 */
export const startPageTransitions = (): void => {
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (!isCarriedOver(activation?.entry.url ?? location.href)) viewTransition?.skipTransition();
  });
};
