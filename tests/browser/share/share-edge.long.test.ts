// A share page that a CDN keeps counts each of its views. What a CDN may keep is in `web/share-page/cdn.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { start } from '../flows/share-cdn.ts';

describe.skipIf(!hasBrowser)('a share page from a CDN', () => {
  it('counts each view by one request, however often it is loaded from the CDN', async () => {
    const { share, views, beacons, snippets } = await start({ content: '<h1>Hi</h1>' });
    const context = await openContext(browser);
    const { page, complaints } = await openPage(context, share.url);
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hi' }).waitFor();
    await expect.poll(beacons).toBe(1);
    await page.reload();
    await expect.poll(beacons).toBe(2);
    await expect.poll(views).toBe(2);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect.poll(() => page.getByText('This is yours').count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    expect(beacons()).toBe(2);
    expect(snippets.cdn.forwarded.length).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
  });
});
