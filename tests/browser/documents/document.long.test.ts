import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { text } from '../../support/pages/composer-page.ts';
import { pasteRich } from '../../support/pages/paste.ts';
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
    await page.getByText('You’re online. 1 change sent.').waitFor();
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

  it('makes Markdown of pasted rich text, and plain text again by one Ctrl+Z', async () => {
    const { open, path } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await text(page).press('Control+End');
    await pasteRich(page, { plain: 'More', html: '<h2>More</h2><ul><li>Points</li></ul>' });
    await textIs(page, '# Plans\n\nFirst.More');
    await page.getByRole('button', { name: 'Paste as Markdown' }).click();
    await textIs(page, '# Plans\n\nFirst.\n\n## More\n\n- Points');
    await page.keyboard.press('Control+z');
    await textIs(page, '# Plans\n\nFirst.More');
  });

  it('is exported as Markdown and as a page, and shared', async () => {
    const { open, path } = await start({ title: 'A/B <test>' });
    const { page, complaints } = await open(ann, path);
    await codeMirror(page);
    const save = async (item: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), menu(page, item)]);
      return {
        name: download.suggestedFilename(),
        content: await readFile(await download.path(), 'utf8'),
      };
    };
    expect(await save('Export as Markdown')).toEqual({
      name: 'A B test.md',
      content: '# Plans\n\nFirst.',
    });
    const exported = await save('Export as HTML');
    expect(exported.name).toBe('A B test.html');
    expect(exported.content).toContain('<title>A/B &lt;test></title>');
    expect(exported.content).toContain('<h1>Plans</h1>');
    expect(exported.content).not.toMatch(/<link|<script|https?:/);

    await menu(page, 'Share as a page');
    const dialog = page.getByRole('dialog', { name: 'Your page is ready' });
    const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
    expect((await page.request.get(link)).status()).toBe(200);
    expect(await (await page.request.get(link)).text()).toContain('<p>First.</p>');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
