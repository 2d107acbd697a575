import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

describe.skipIf(!hasBrowser)('the address of a view', () => {
  const title = (page: Page) => page.getByRole('heading', { name: 'Once' });

  it('has no token that opens it elsewhere, and is the same view after a reload, Back and Forward', async () => {
    const { share, service, viewsOf } = await serveShares();
    const url = await share({
      content: '# Once',
      language: 'markdown',
      viewLimit: 2,
      password: 'Abc123',
    });
    const { page, complaints } = await openPage(await openContext(browser), url);
    await page.getByLabel('Password').fill('Abc123');
    await page.getByRole('button', { name: 'Open' }).click();
    await title(page).waitFor();
    await expect.poll(() => page.url()).toBe(url);
    expect(await page.evaluate('navigation.entries().map(({ url }) => url)')).toContain(url);

    await page.reload();
    await title(page).waitFor();
    await page.goto(`${service}/login`);
    await page.goBack();
    await title(page).waitFor();
    await page.goForward();
    await page.goBack();
    await title(page).waitFor();
    await expect.poll(() => page.url()).toBe(url);
    expect(await viewsOf(url)).toBe(1);

    // Another tab of the same browser gets the address only.
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('Password').waitFor();
    expect(complaints).toEqual([]);
  });
});
