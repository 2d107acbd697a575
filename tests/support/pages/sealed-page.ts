import type { BrowserContextOptions, Page, Request } from 'playwright-core';
import { type SealedInput, shareSealed } from '../sealed/share-sealed.ts';
import { serveShares } from '../shares/serve-shares.ts';
import { openContext, openPage } from './open-page.ts';
import { browser } from './shared-browser.ts';

/** The windows that pages are tried in. */
export const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 664 },
] as const;

const describe = async (request: Request): Promise<string> =>
  JSON.stringify([request.url(), await request.allHeaders(), request.postData()]);

/** Starts a service with sealed shares of Ann’s, and opens pages in browsers that note all requests. */
export const startSealed = async () => {
  const served = await serveShares();
  return {
    ...served,
    seal: (input?: SealedInput) => shareSealed(served.ask, input),
    async open(link: string, options: BrowserContextOptions = {}) {
      const context = await openContext(browser, options);
      const sent: Request[] = [];
      context.on('request', (request) => sent.push(request));
      const opened = await openPage(context, link);
      return {
        ...opened,
        context,
        /** Returns what was sent until now: address, headers and body of each request. */
        listSent: () => Promise.all(sent.map(describe)),
      };
    },
  };
};

/** The button that opens the share. */
export const openButton = (page: Page) => page.getByRole('button', { name: 'Open snippet' });

/** The alert of a page that says something. */
export const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /./ });

const focusedName = `(() => {
  const { ariaLabel, labels, textContent } = document.activeElement;
  return (ariaLabel ?? labels?.[0]?.textContent ?? textContent).trim();
})()`;

/** Presses Tab until what has this name has the focus. */
export const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let count = 0; count < 30; count++) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(focusedName)) === name) return;
  }
  throw new Error(`Tab doesn’t lead to ${name}.`);
};

/** Opens the share of a page by its button. */
export const press = async (page: Page): Promise<void> => {
  await openButton(page).press('Enter');
  await page.locator('.reader-bar').waitFor();
};

/** Opens the menu of an opened share by a key, and waits for its first entry to have the focus. */
export const openActions = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'More actions' }).press('Enter');
  await page.locator('#Actions :focus').waitFor();
};
