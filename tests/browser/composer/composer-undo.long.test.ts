import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { newContext, startComposer, text, textIs } from '../../support/pages/composer-page.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('Undo in the composer', () => {
  const open = async () => openPage(await newContext(browser), await startComposer());

  it('can be undone and keeps later edits', async () => {
    const { page } = await open();
    const undo = page.getByRole('button', { name: 'Undo' });
    await text(page).fill('Before');
    const file = { name: 'a.md', mimeType: '', buffer: Buffer.from('From a file') };
    await page.locator('#file').setInputFiles(file);
    await page.getByText('Content replaced with a.md.').waitFor();
    await text(page).fill('From a file, and an hour of work');
    await undo.click();
    await textIs(page, 'Before');
    await undo.click();
    await textIs(page, 'From a file, and an hour of work');
    await expect.poll(() => page.getByLabel('Title').inputValue()).toBe('a');
  });
});
