// Who sees the bar of an owner.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { arrive } from '../flows/share-cdn.ts';
import { start } from '../flows/share-ending.ts';

describe.skipIf(!hasBrowser)('an own share in a browser', () => {
  it('gets the bar by script where anyone can read it, and its view isn’t counted', async () => {
    const { owner, share, views } = await start({ language: 'html', content: '<h1>Offer</h1>' });
    const { page, complaints } = await openPage(owner, 'about:blank');
    await arrive(page, share.url);
    await page.getByText('0 views · anyone with the link').waitFor();
    await page.frameLocator('iframe').getByRole('heading', { name: 'Offer' }).waitFor();
    await inspect(page, 'share-own-frame');
    const { page: theirs } = await openPage(await openContext(browser), 'about:blank');
    await arrive(theirs, share.url);
    await expect.poll(() => views()).toBe(1);
    expect(await theirs.getByText('This is yours').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
