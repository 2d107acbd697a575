import { isCarriedOver } from './carried-over.ts';

/**
 * Keeps transitions between pages from failing. A page that takes no part reports an error that nothing there can catch,
 * so the page before ends the transition. The opt-in of the styles can’t depend on where a link leads.
 */
export const startPageTransitions = (): void => {
  addEventListener('pageswap', ({ viewTransition, activation }) => {
    if (!isCarriedOver(activation?.entry.url ?? location.href)) viewTransition?.skipTransition();
  });
  // A page that is shown before its transition is ready goes without one: nothing is lost by that.
  addEventListener('unhandledrejection', (event) => {
    const { reason } = event;
    if (reason instanceof DOMException && reason.message.startsWith('Transition was'))
      event.preventDefault();
  });
};
