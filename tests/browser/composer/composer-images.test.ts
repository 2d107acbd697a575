// Images that can’t be shown are told to their author. Which can is in `shared/markdown/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEditor, text } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('Images in the composer', () => {
  it('are told while writing where they can’t be shown, until that is mended', async () => {
    const { page } = await openEditor(browser);
    const notices = page.locator('#notices');
    await text(page).fill('![Logo & sign](http://a.example/b.png) [docs](docs/a.md)');
    await expect
      .poll(() => notices.innerText())
      .toBe('“Logo & sign” won’t be shown: images need an https address.');
    const preview = page.locator('#preview');
    await preview.getByText('Logo & sign (not shown: images need an https address)').waitFor();
    await expect.poll(() => preview.locator('a').count()).toBe(0);
    await text(page).fill('![](a/b.png) ![C](data:image/png;base64,AA)');
    await expect
      .poll(() => notices.innerText())
      .toBe('2 images won’t be shown, such as “b.png”: images need an https address.');
    await text(page).fill('No image');
    await expect.poll(() => notices.innerText()).toBe('');
    await text(page).fill('![](a/b.png)');
    await expect.poll(() => notices.innerText()).toContain('“b.png”');
    await page.getByRole('button', { name: 'HTML', exact: true }).click();
    await expect.poll(() => notices.innerText()).toBe('');
  });
});
