import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

describe.skipIf(!hasBrowser)('the share pages in a browser', () => {
  const open = async (url: string) =>
    openPage(
      await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] }),
      url,
    );
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('handle titles of any kind and ended shares', async () => {
    const { service, share } = await serveShares();
    const title = `${'Ünbrēakable'.repeat(8)} עברית العربية 🎉👩‍👩‍👧`;
    const url = await share({ content: '<p>x</p>', title, description: 'D'.repeat(1_000) });
    const { page } = await open(url);
    await inspect(page, 'share-long-title');
    await page.goto(await share({ content: 'Short.', language: 'markdown', title }));
    await inspect(page, 'share-markdown-long-title');
    await page.goto(await share({ content: 'x', viewLimit: 3 }));
    await inspect(page, 'share-confirm');
    const last = await share({ content: 'x', viewLimit: 1 });
    await page.goto(last);
    await button(page, 'Open snippet').click();
    await page.getByText('No views left').waitFor();
    await page.goto(`${last}/raw`);
    await page.getByRole('heading', { name: 'This share has reached its view limit' }).waitFor();
    await inspect(page, 'share-gone');
    await page.goto(`${service}/s/nothing`);
    await inspect(page, 'share-not-found');
    await page.goto(`${url}/report`);
    await inspect(page, 'share-report');
  });

  it('show times in the time zone of the reader, with the hour', async () => {
    const { share } = await serveShares();
    const expiresAt = '2035-02-03T20:05:00.000Z';
    const url = await share({ content: '# Hi', language: 'markdown', expiresAt });
    const { page } = await openPage(await openContext(browser, { timezoneId: 'Asia/Tokyo' }), url);
    const shown = page.locator('.badge time');
    await expect.poll(() => shown.innerText()).toBe('4 Feb 2035, 05:05');
    expect(await shown.getAttribute('datetime')).toBe(expiresAt);
    const plain = await openContext(browser, { javaScriptEnabled: false });
    const { page: still } = await openPage(plain, url);
    expect(await still.locator('.badge time').innerText()).toBe('3 Feb 2035, 20:05 UTC');
  });
});
