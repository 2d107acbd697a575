// A share page that a CDN keeps: its script counts each view, and adds what only the owner sees.
// What a CDN may keep is in `web/share-page/cdn.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { arrive, start } from '../flows/share-cdn.ts';

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

  it('gets the actions of its owner by script, who can stop sharing then', async () => {
    const { owner, share, views, beacons, service } = await start({
      content: '# Offer',
      language: 'markdown',
    });
    const { page, complaints } = await openPage(owner, 'about:blank');
    const loaded = page.waitForResponse((response) => response.url() === share.url);
    await arrive(page, share.url);
    const html = await (await loaded).text();
    expect(html).toContain('data-counts');
    expect(html).not.toContain('This is yours');
    await page.getByText('This is yours').waitFor();
    expect(beacons()).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Copy source' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByText('Stopped. The link no longer works.').waitFor();
    // The owner's view isn't counted.
    await expect.poll(() => views()).toBe(0);
    expect(
      service.cdn.forwarded.filter((one) => one === `GET /s/${share.id}`).length,
    ).toBeGreaterThan(1);
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
