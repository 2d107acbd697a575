import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('ending a share on its page', () => {
  it('is offered to readers if the owner allows it, without a script too', async () => {
    const { share, state } = await start({ readersCanEnd: true, viewLimit: 2 });
    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page } = await openPage(context, share.url);
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('link', { name: 'End snippet' }).click();
    await page.getByRole('heading', { name: 'End this snippet?' }).waitFor();
    await expect.poll(() => state()).toBe(null);
    await page.getByRole('button', { name: 'End snippet' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    await expect.poll(() => state()).toBe('reader');
  });
});
