// A share page that a CDN keeps: its script counts the view, and adds what only the owner sees.
// What a CDN may keep is in `web/share-page/cdn.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { arrive, start } from '../flows/share-cdn.ts';

describe.skipIf(!hasBrowser)('a share page from a CDN', () => {
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
    expect(html).not.toContain('Stop sharing');
    await page.getByText('This is yours').waitFor();
    expect(beacons()).toBe(1);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Copy source' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    const question = page.getByRole('alertdialog', { name: 'Stop sharing?' });
    await question.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
    // The owner's view isn't counted.
    await expect.poll(() => views()).toBe(0);
    expect(
      service.cdn.forwarded.filter((one) => one === `GET /s/${share.id}`).length,
    ).toBeGreaterThan(1);
    expect(complaints.filter((text) => !text.includes('410'))).toEqual([]);
  });
});
