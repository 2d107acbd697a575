import type { BrowserContext } from 'playwright-core';

const mark = 'Lost focus: ';

/**
 * Runs in each page. Once something has the focus, `body` has it again only where the user presses on nothing that can have it,
 * goes on by Tab from the last control of the page, or follows a link within the page.
 * Pages place the focus in the frames after a change, or in a task that follows these. A loss counts when the user's next key or
 * press finds it, so not where another page follows.
 */
const watch = `(() => {
  if (self !== top) return;
  let last;
  let isMoved = false;
  let isWaiting = false;
  let isNoted = false;
  const describe = (one) => (one.ariaLabel || one.textContent || one.id || one.tagName).trim().slice(0, 60);
  const isLost = () => last !== undefined && document.activeElement === document.body;
  const afterFrames = (count, run) => requestAnimationFrame(() => count > 1 ? afterFrames(count - 1, run) : setTimeout(run));
  const check = () => {
    if (isWaiting || !isLost()) return;
    isWaiting = true;
    afterFrames(4, () => {
      isWaiting = false;
      isNoted = isLost();
    });
  };
  const report = () => {
    if (isNoted && isLost()) {
      console.debug('${mark}' + last);
      last = undefined;
    }
    isNoted = false;
  };
  addEventListener('keydown', report, true);
  addEventListener('mousedown', report, true);
  addEventListener('focusin', ({ target }) => {
    last = target === document.body ? undefined : describe(target);
  }, true);
  const move = () => {
    isMoved = true;
    setTimeout(() => { isMoved = false; });
  };
  addEventListener('mousedown', move, true);
  addEventListener('keydown', ({ key }) => { if (key === 'Tab') move(); }, true);
  addEventListener('hashchange', () => { last = undefined; });
  addEventListener('focusout', () => {
    if (isMoved) last = undefined;
    else queueMicrotask(check);
  }, true);
  const attributeFilter = ['disabled', 'hidden', 'inert', 'open'];
  new MutationObserver(check).observe(document, { subtree: true, childList: true, attributeFilter });
})()`;

/** Watches the focus in the pages of a context. Returns the controls that took the focus with them, each with its page. */
export const watchFocus = async (context: BrowserContext): Promise<readonly string[]> => {
  const lost: string[] = [];
  await context.addInitScript(watch);
  context.on('console', (message) => {
    if (!message.text().startsWith(mark)) return;
    const { pathname } = new URL(message.page()?.url() ?? message.location().url);
    lost.push(`${pathname}: ${message.text().slice(mark.length)}`);
  });
  return lost;
};
