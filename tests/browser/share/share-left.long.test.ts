// Frames of snippets that were counted before, or only reload themselves.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

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
});
