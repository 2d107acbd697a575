import { showFailure } from '../feedback.ts';
import { shellTexts } from '../texts.ts';
import { findLost, leave, setQuestion } from '../unsaved.ts';

const ask = async (names: readonly string[]): Promise<boolean> => {
  try {
    return await (await import('../../record/ask-to-discard.ts')).askToDiscard(names);
  } catch {
    showFailure(shellTexts.notAsked);
    return false;
  }
};

/**
 * Starts to guard the way to other pages: by links, keys, the palette and the bell. Where browsers don’t say that a page
 * is about to be left, and for Back to another page, reloading and closing, the browser itself asks.
 */
export const startGuard = (): void => {
  setQuestion(ask);
  globalThis.navigation?.addEventListener('navigate', (event) => {
    const { cancelable, destination, downloadRequest, navigationType } = event;
    const isToPage = navigationType === 'push' || navigationType === 'replace';
    if (!cancelable || !isToPage || destination.sameDocument || downloadRequest !== null) return;
    if (findLost().length === 0) return;
    event.preventDefault();
    leave(() => location.assign(destination.url));
  });
  addEventListener('beforeunload', (event) => {
    if (findLost().length > 0) event.preventDefault();
  });
};
