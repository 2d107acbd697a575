// A view that was the last, and one without a script.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

describe.skipIf(!hasBrowser)('the address of a view', () => {
  const title = (page: Page) => page.getByRole('heading', { name: 'Once' });

  it('stays the same view if it was the last, until its token expires', async () => {
    const { share } = await serveShares();
    const url = await share({ content: '# Once', language: 'markdown', viewLimit: 1 });
    const { page } = await openPage(await openContext(browser), url);
    await page.getByRole('button', { name: 'Open' }).click();
    await title(page).waitFor();
    await page.reload();
    await title(page).waitFor();
    await expect.poll(() => page.url()).toBe(url);
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await page.getByRole('heading', { name: /view limit|ended/i }).waitFor();
  });

  it('keeps its token without a script, which a reload needs then', async () => {
    const { share } = await serveShares();
    const url = await share({ content: '# Once', language: 'markdown', viewLimit: 1 });
    const context = await openContext(browser, { javaScriptEnabled: false });
    const { page } = await openPage(context, url);
    await page.getByRole('button', { name: 'Open' }).click();
    await title(page).waitFor();
    expect(page.url()).toContain('?view=');
    await page.reload();
    await title(page).waitFor();
  });
});
