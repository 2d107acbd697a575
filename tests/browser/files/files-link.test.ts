// “Share as a link” on the files page. What becomes of the file is in `api/share/create/own-file.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { choose, line, named, openFiles, startFiles } from '../../support/pages/files-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('a file', () => {
  it('is shared as a link by keys, and from its drawer on a phone', async () => {
    const { page, context, complaints } = await openFiles(browser, await startFiles());
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('input[type=file]').setInputFiles(named('sales.csv', 'a;b\n1;2\n'));
    await line(page, 'sales.csv').waitFor();
    await choose(page, 'sales.csv', 'Share as a link');
    const question = page.getByRole('dialog', { name: 'Share “sales.csv” as a link' });
    await question.waitFor();
    await expect
      .poll(() => page.evaluate('document.activeElement.textContent'))
      .toBe('Create link');
    await page.keyboard.press('Enter');
    const result = page.getByRole('dialog', { name: '“sales.csv” is shared' });
    const link = result.getByRole('textbox', { name: 'Link' });
    await link.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.readOnly')).toBe(true);
    await inspect(page, 'file-link');
    const url = await link.inputValue();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Link copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url);
    expect(await (await fetch(`${url}/raw`)).text()).toBe('a;b\n1;2\n');
    const options = result.getByRole('link', { name: 'Options' });
    expect(await options.getAttribute('href')).toBe(`/?edit=${url.split('/').at(-1)}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => result.count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 664 });
    await page.getByText('sales.csv', { exact: true }).first().click();
    await page.locator('.drawer').getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('menuitem', { name: 'Share as a link' }).click();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => question.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
