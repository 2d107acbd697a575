import type { Page } from 'playwright-core';

/**
 * Watches what has the focus, frame by frame, and notes each thing that was removed, hidden or disabled while it had it if the
 * focus is then on `body`. A page that is opened later is watched, too.
 */
const watch = `(() => {
  const lost = (globalThis.lostFocus ??= []);
  let last;
  let missed = 0;
  const name = (one) => (one.ariaLabel ?? one.textContent ?? '').trim().slice(0, 60) || one.tagName;
  const look = () => {
    const now = document.activeElement;
    if (now && now !== document.body) {
      last = { element: now, name: name(now) };
      missed = 0;
    } else if (last) {
      const { element } = last;
      const isGone = !element.isConnected || !element.checkVisibility() || element.matches(':disabled');
      missed = isGone ? missed + 1 : 0;
      // Pages place the focus by the frame after next.
      if (!isGone || missed > 3) {
        if (isGone) lost.push(last.name);
        last = undefined;
        missed = 0;
      }
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()`;

/**
 * Watches the focus of a page from now on. Returns what tells the names of the controls that took the focus with them, on the
 * page as it was opened last.
 */
export const watchFocus = async (page: Page): Promise<() => Promise<readonly string[]>> => {
  await page.addInitScript(watch);
  await page.evaluate(watch);
  return () => page.evaluate('globalThis.lostFocus');
};
