// Images in the preview that fail, and that follow the colors. What is told while writing is in `composer-images.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEditor, text } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('Images in the composer', () => {
  it('that fail are said in the preview, and go with their text', async () => {
    const { page } = await openEditor(browser);
    await page.route('https://a.example/**', (route) => route.abort());
    const said = page.locator('#preview .unshown-image');
    await text(page).fill('<img src="https://a.example/b.png">\n\nMore');
    await expect.poll(() => said.innerText()).toBe('b.png (not shown: it couldn’t be loaded)');
    await text(page).fill('More');
    await expect.poll(() => said.count()).toBe(0);
  });

  it('follow the chosen colors in the preview, also when they change', async () => {
    const { page } = await openEditor(browser);
    const body = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    await page.route('https://a.example/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body }),
    );
    const choose = (theme: string) =>
      page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
    const shown = () =>
      page.evaluate<[string, string[]]>(`[
        document.querySelector('#preview picture img').currentSrc,
        [...document.querySelectorAll('#preview > * > * > p > img')].filter((one) => one.checkVisibility()).map((one) => one.alt),
      ]`);
    await choose('dark');
    await text(page).fill(
      'a <picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/dark"><img src="https://a.example/light"></picture>\n\n![D](https://a.example/a#gh-dark-mode-only) ![L](https://a.example/a#gh-light-mode-only)',
    );
    await page.locator('#preview picture').waitFor({ state: 'attached' });
    await expect.poll(shown).toEqual(['https://a.example/dark', ['D']]);
    await choose('light');
    await expect.poll(shown).toEqual(['https://a.example/light', ['L']]);
  });
});
