// What owners and moderators see of the files of a share.

import { describe, expect, it } from 'vitest';
import { zipFiles } from '../../support/archives/zip.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { ann, start } from '../flows/moderation.ts';

describe.skipIf(!hasBrowser)('a share with files', () => {
  it('tells its owner how many they are, and moderators which', async () => {
    const { url, token, signedIn } = await start([]);
    const archive = zipFiles({
      'index.html': '<title>Site</title><p>Home<img src="img/a%20b.svg">',
      'data/figures.json': '{"figures":[1]}',
      'img/a b.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"></svg>',
    });
    const response = await fetch(`${url}/api/share?title=Site`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/zip' },
      body: new Uint8Array(archive),
    });
    const { id } = await response.json();
    const own = await openPage(await signedIn(ann), `${url}/shares?open=${id}`);
    await own.page
      .getByRole('dialog', { name: 'Site' })
      .getByText(/^3 files, \d+ bytes$/)
      .waitFor();
    const { page } = await openPage(await signedIn(admin), `${url}/moderation?list=all&open=${id}`);
    const review = page.getByRole('dialog', { name: 'Site' });
    await review.getByRole('link', { name: 'img/a b.svg' }).waitFor();
    const image = review.frameLocator('#preview iframe').locator('img');
    await expect
      .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
      .toBe(8);
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      review.getByRole('link', { name: 'data/figures.json' }).click(),
    ]);
    await opened.getByText('{"figures":[1]}').waitFor();
    expect([own.complaints]).toEqual([[]]);
  });
});
