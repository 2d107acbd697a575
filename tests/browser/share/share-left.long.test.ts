// Frames of snippets that were counted before, or only reload themselves.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const ways = {
  'its location': 'location = "https://elsewhere.example/page"',
  'a data URL': 'location = "data:text/html,moved"',
  'an unknown address of its own host': 'location = "/an/unknown/address"',
  'a refresh':
    'document.head.insertAdjacentHTML("beforeend", `<meta http-equiv="refresh" content="0;url=https://elsewhere.example/">`)',
};

describe.skipIf(!hasBrowser)('a snippet that navigates its frame', () => {
  it('asks again if the view was counted', async () => {
    const shares = await serveShares();
    const content = `<button onclick='location = "https://elsewhere.example/page"'>Go</button>`;
    const url = await shares.share({ content, viewLimit: 5 });
    const { page } = await openPage(await openContext(browser), url);
    await page.getByRole('button', { name: 'Open snippet' }).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Go' }).click();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.frameLocator('iframe').getByRole('button', { name: 'Go' }).waitFor();
  });

  it('is left alone when it reloads itself or is blocked otherwise', async () => {
    const shares = await serveShares();
    const content = `<img src="http://insecure.example/"><button onclick="location.reload()">Again</button>`;
    const { page } = await openPage(await openContext(browser), await shares.share({ content }));
    const again = page.frameLocator('iframe').getByRole('button', { name: 'Again' });
    await again.click();
    await again.waitFor();
    await expect.poll(() => page.getByRole('alert').isVisible()).toBe(false);
  });

  it('is replaced by a notice with Reload, by whatever way', async () => {
    const { share } = await serveShares();
    const context = await openContext(browser);
    for (const [name, act] of Object.entries(ways)) {
      const content = `<p>Here</p><button onclick='${act}'>Go</button>`;
      const { page } = await openPage(context, await share({ content }));
      const [frame, notice] = [page.frameLocator('iframe'), page.getByRole('alert')];
      await frame.getByText('Here').waitFor();
      await expect.poll(() => notice.isVisible(), { message: name }).toBe(false);
      await frame.getByRole('button', { name: 'Go' }).click();
      const heading = 'The snippet tried to open another page';
      await notice.getByRole('heading', { name: heading }).waitFor();
      await expect.poll(() => page.locator('iframe').isVisible(), { message: name }).toBe(false);
      await notice.getByRole('button', { name: 'Reload' }).click();
      await frame.getByText('Here').waitFor();
      await expect.poll(() => notice.isVisible(), { message: name }).toBe(false);
      await page.close();
    }
  });

  it('is replaced by the notice also when it went before the script of the page came', async () => {
    const { share } = await serveShares();
    const context = await openContext(browser);
    await context.route('**/scripts/share.*', async (route) => {
      const page = route.request().frame().page();
      await page.waitForEvent('console', (message) => message.text() === 'gone');
      await route.continue();
    });
    for (const [name, act] of Object.entries(ways)) {
      const content = `<script>addEventListener('pagehide', () => console.log('gone')); ${act}</script>`;
      const { page } = await openPage(context, await share({ content }));
      await page.getByRole('alert').getByRole('button', { name: 'Reload' }).waitFor();
      await expect.poll(() => page.locator('iframe').isVisible(), { message: name }).toBe(false);
      await page.close();
    }
  });
});
