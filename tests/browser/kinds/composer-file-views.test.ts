// CSV and JSON files in the preview of the composer, which shows them as their page does.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openSignedIn, shareAndRead, startComposer } from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const toFile = (name: string, text: string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(text),
});

describe.skipIf(!hasBrowser)('the preview of a CSV file', () => {
  it('is the table of its page', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await page.locator('#file').setInputFiles(toFile('sales.csv', 'name;price\nA;1,20\n'));
    const preview = page.locator('#preview');
    await preview.getByRole('columnheader', { name: 'price' }).waitFor();
    // The style comes with the first table.
    await expect.poll(() => preview.locator('code').isVisible()).toBe(false);
    await preview.getByText('Text', { exact: true }).click();
    await expect.poll(() => preview.locator('code').isVisible()).toBe(true);
    const url = await shareAndRead(page);
    expect(await (await fetch(`${url}/raw`)).text()).toBe('name;price\nA;1,20\n');
    expect(await (await fetch(url)).text()).toContain('<td class="n">1,20</td>');
    expect(complaints).toEqual([]);
  });
});
