// A part of the page that can't be loaded, such as after an upgrade.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  isKept,
  openEdit,
  openSignedIn,
  ready,
  share,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const late = '**/scripts/composer-late.*';

describe.skipIf(!hasBrowser)('a part of the composer that can’t be loaded', () => {
  it('offers to load the page again, by keys, which keeps what was typed', async () => {
    const { page } = await openSignedIn(browser, await startComposer());
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route(late, (route) => route.abort());
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    await share(page).click();
    const offer = page.getByRole('alert').filter({ hasText: 'This part didn’t load.' });
    const reload = offer.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    expect(loads).toBe(0);
    await reload.press('Enter');
    await expect.poll(() => loads).toBe(1);
    await textIs(page, '# Mine');

    // The page never loads again by itself: the offer is there once more.
    await share(page).click();
    await reload.waitFor();
    expect([await offer.count(), loads]).toEqual([1, 1]);
    await page.unroute(late);
    await reload.press('Space');
    await expect.poll(() => loads).toBe(2);
    await textIs(page, '# Mine');
    await share(page).click();
    await ready(page);
    expect(loads).toBe(2);
  });

  it('says so in the place of a stored share, and offers to load the page again', async () => {
    const { page } = await openEdit(browser, { content: '# Before', language: 'markdown' });
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    await page.route(late, (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'Can’t reach the server.' }).waitFor();
    await page.unroute(late);
    const offer = page.getByRole('alert').filter({ hasText: 'This part didn’t load.' });
    await offer.getByRole('button', { name: 'Reload' }).press('Enter');
    await page.getByText('Draft restored.').waitFor();
    await textIs(page, '# Mine');
  });
});

describe.skipIf(!hasBrowser)('the first files of a page', () => {
  it('offer to load the page again if they can’t be loaded', async () => {
    const { page } = await openEdit(browser, { content: '# Before', language: 'markdown' });
    for (const files of ['**/styles/ui.*', '**/scripts/shell.*', '**/scripts/composer.*']) {
      await page.route(files, (route) => route.abort());
      await page.reload();
      const offer = page.getByRole('alert').filter({ hasText: 'A part of this page didn’t load.' });
      await offer.waitFor();
      expect(await offer.count(), files).toBe(1);
      await page.unroute(files);
      await offer.getByRole('link', { name: 'Reload' }).press('Enter');
      await offer.waitFor({ state: 'detached' });
      await textIs(page, '# Before');
    }
  });
});
