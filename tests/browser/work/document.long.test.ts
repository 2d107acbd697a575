import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { text } from '../../support/pages/composer-page.ts';
import { ann, codeMirror, menu, start, stateIs, textIs, title } from '../flows/document.ts';

describe.skipIf(!hasBrowser)('a document in a browser', () => {
  it('formats the selected text by pointer and by keyboard', async () => {
    const { open, path, stored } = await start();
    const { page, complaints } = await open(ann, path);
    await codeMirror(page);
    const bar = page.getByRole('toolbar', { name: 'Format' });
    await text(page).press('Control+End');
    for (let at = 0; at < 6; at += 1) await page.keyboard.press('Shift+ArrowLeft');
    await bar.getByRole('button', { name: 'Bold' }).click();
    await textIs(page, '# Plans\n\n**First.**');
    await page.locator('.preview strong', { hasText: 'First.' }).waitFor();
    // It is one stop of Tab, before the text.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'))
      .toBe('Italic');
    await page.keyboard.press('Enter');
    await textIs(page, '# Plans\n\n***First.***');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\n***First.***');
    expect(complaints).toEqual([]);
  });

  it('goes on after the browser was offline', async () => {
    const { open, path, stored } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await page.context().setOffline(true);
    await text(page).press('Control+End');
    await page.keyboard.type(' Later.');
    await stateIs(page, 'Offline. Kept here, and sent when you’re back.');
    await page.context().setOffline(false);
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('# Plans\n\nFirst. Later.');
  });

  it('keeps what others change besides the text', async () => {
    const { open, path, change, stored } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await change({ title: 'Renamed', folder: 'Board' });
    await text(page).press('Control+End');
    await page.keyboard.type(' More.');
    await stateIs(page, 'Saved');
    await expect.poll(() => title(page).inputValue()).toBe('Renamed');
    await expect
      .poll(() => stored())
      .toMatchObject({
        title: 'Renamed',
        folder: 'Board',
        content: '# Plans\n\nFirst. More.',
      });
  });

  it('is moved to the trash, and back', async () => {
    const { open, path } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await menu(page, 'Delete');
    await page.getByRole('heading', { name: 'This document is in the trash' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await codeMirror(page);
    await textIs(page, '# Plans\n\nFirst.');
  });

  it('of another type is edited as text', async () => {
    const { open, path, stored } = await start({ type: 'text', content: 'a\nb' });
    const { page } = await open(ann, path);
    const area = page.getByLabel('Content', { exact: true });
    await expect.poll(() => area.inputValue()).toBe('a\nb');
    await area.fill('a\nb\nc');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('a\nb\nc');
    await expect.poll(() => page.locator('.preview').count()).toBe(0);
  });
});
