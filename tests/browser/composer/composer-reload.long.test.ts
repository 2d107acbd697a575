// A part of the page that can't be loaded, such as after an upgrade.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { isKept, openEdit, save, saved, text, textIs } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('a part of the composer that can’t be loaded', () => {
  it('offers to load the page again, by keys, which keeps what was typed', async () => {
    const { page, own } = await openEdit(browser, { content: '# Before', language: 'markdown' });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/scripts/composer-late.*', (route) => route.abort());
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    await save(page).click();
    const offer = page.getByRole('alert').filter({ hasText: 'This part didn’t load.' });
    const reload = offer.getByRole('button', { name: 'Reload' });
    await reload.waitFor();
    expect([loads, (await own()).content]).toEqual([0, '# Before']);
    await reload.press('Enter');
    await page.getByText('Draft restored.').waitFor();
    await textIs(page, '# Mine');

    // The page never loads again by itself: the offer is there once more.
    await save(page).click();
    await reload.waitFor();
    expect([await offer.count(), loads]).toEqual([1, 1]);
    await page.unroute('**/scripts/composer-late.*');
    await reload.press('Space');
    await page.getByText('Draft restored.').waitFor();
    await textIs(page, '# Mine');
    await save(page).click();
    await saved(page);
    await expect.poll(() => own()).toMatchObject({ content: '# Mine' });
    expect(loads).toBe(2);
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
