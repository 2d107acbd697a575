import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { read, text } from '../../support/pages/composer-page.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('a document in a browser', () => {
  const ann = 'ann@example.com';
  const bob = 'bob@example.com';
  const state = (page: Page) => page.locator('#save-state');
  const stateIs = (page: Page, expected: string) =>
    expect.poll(async () => (await state(page).innerText()).trim()).toBe(expected);
  const textIs = (page: Page, expected: string) => expect.poll(() => read(page)).toBe(expected);
  const title = (page: Page) => page.getByLabel('Title', { exact: true });
  const codeMirror = (page: Page) => page.locator('.cm-content').waitFor();
  const menu = async (page: Page, item: string) => {
    await page.getByRole('button', { name: 'Actions for this document' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };

  /** Starts a service with a document of Ann that Bob can read, and Mod can change. */
  const start = async (fields: object = {}) => {
    const service = await startConsole(browser, [
      { name: 'Ann', permissions: ['documents:*'] },
      { name: 'Bob' },
      { name: 'Mod', role: 'admin' },
    ]);
    const { url, signIn } = service;
    const token = await signIn(ann);
    const made = await send(`${url}/api/documents`, {
      method: 'POST',
      token,
      body: {
        title: 'Plans',
        type: 'markdown',
        content: '# Plans\n\nFirst.',
        visibility: 'everyone',
        ...fields,
      },
    });
    expect(made.status).toBe(201);
    const { id } = made.body.data as { id: number };
    const stored = async () => (await send(`${url}/api/documents/${id}`, { token })).body.data;
    const change = async (body: object) => {
      const changed = await send(`${url}/api/documents/${id}`, { method: 'PUT', token, body });
      expect(changed.status).toBe(200);
    };
    return { ...service, id, path: `/documents/${id}`, stored, change };
  };

  it('saves itself, its title too, and shows what it looks like', async () => {
    const { open, path, stored } = await start();
    const { page, complaints } = await open(ann, path);
    await codeMirror(page);
    await stateIs(page, 'Saved');
    await page.locator('.preview h1', { hasText: 'Plans' }).waitFor();
    await inspect(page, 'document');
    await text(page).press('Control+End');
    await page.keyboard.type(' Second.');
    await stateIs(page, 'Saved');
    expect((await stored()).content).toBe('# Plans\n\nFirst. Second.');
    await page.locator('.preview', { hasText: 'First. Second.' }).waitFor();
    await title(page).fill('Plans of May');
    await page.keyboard.press('Control+s');
    await stateIs(page, 'Saved');
    expect(await stored()).toMatchObject({ title: 'Plans of May', version: 3 });
    await title(page).fill('Paid in $& more');
    // The alert of the new sign-in may have come.
    await expect.poll(() => page.title()).toMatch(/^(\(1\) )?Paid in \$& more · Handbill$/);
    expect(complaints).toEqual([]);
  });

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
    expect((await stored()).content).toBe('# Plans\n\n***First.***');
    expect(complaints).toEqual([]);
  });

  it('keeps an unsaved change across reload and sign-out, for its user only', async () => {
    const { open, path, url, stored } = await start();
    const { page } = await open(ann, path);
    await codeMirror(page);
    await page.route('**/api/documents/*', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    );
    await text(page).press('Control+End');
    await page.keyboard.type(' Kept.');
    await stateIs(page, 'Offline. Kept here, and sent when you’re back.');
    await page.reload();
    await page.getByText('Your unsaved changes are back.').waitFor();
    await textIs(page, '# Plans\n\nFirst. Kept.');

    // Another user in the same browser sees what is stored.
    const context = page.context();
    const become = (email: string) =>
      context.request.post(`${url}/api/auth/login`, {
        data: { email, password: 'correct horse' },
        headers: { origin: url },
      });
    await become('mod@example.com');
    await page.goto(url + path);
    await codeMirror(page);
    await textIs(page, '# Plans\n\nFirst.');
    await become(ann);
    await page.unroute('**/api/documents/*');
    await page.goto(url + path);
    await textIs(page, '# Plans\n\nFirst. Kept.');
    await stateIs(page, 'Saved');
    expect((await stored()).content).toBe('# Plans\n\nFirst. Kept.');
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
    expect((await stored()).content).toBe('# Plans\n\nFirst. Later.');
  });

  it('shows both versions of two people in two browsers, and keeps either', async () => {
    const { open, path, stored } = await start();
    const [hers, theirs] = [await open(ann, path), await open('mod@example.com', path)];
    for (const { page } of [hers, theirs]) await codeMirror(page);
    const write = async (page: Page, words: string) => {
      await text(page).press('Control+End');
      await page.keyboard.type(words);
    };
    await write(theirs.page, ' By Mod.');
    await stateIs(theirs.page, 'Saved');
    await write(hers.page, ' By Ann.');
    await stateIs(hers.page, 'Changed by someone else');
    const version = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
    expect(await version(hers.page, 'Yours').innerText()).toContain('First. By Ann.');
    expect(await version(hers.page, 'Theirs').innerText()).toContain('First. By Mod.');
    await inspect(hers.page, 'document conflict');
    await hers.page.getByRole('button', { name: 'Keep mine' }).click();
    await stateIs(hers.page, 'Saved');
    expect((await stored()).content).toBe('# Plans\n\nFirst. By Ann.');

    // Mod has the older version now, and takes the other.
    await write(theirs.page, ' Again.');
    await stateIs(theirs.page, 'Changed by someone else');
    await theirs.page.getByRole('button', { name: 'Keep theirs' }).click();
    await textIs(theirs.page, '# Plans\n\nFirst. By Ann.');
    await stateIs(theirs.page, 'Saved');
    expect([...hers.complaints, ...theirs.complaints]).toEqual([]);
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
    expect(await stored()).toMatchObject({
      title: 'Renamed',
      folder: 'Board',
      content: '# Plans\n\nFirst. More.',
    });
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

  it('is shown to readers, who see why they can’t change it', async () => {
    const { open, path, change } = await start();
    const { page, complaints } = await open(bob, path);
    await page.getByText('You can read this document. Only Ann can change it.').waitFor();
    await page.locator('.preview h1', { hasText: 'Plans' }).waitFor();
    expect(await page.locator('textarea, .cm-content, #save-state').count()).toBe(0);
    await inspect(page, 'document of another');
    await change({ visibility: 'private' });
    await page.reload();
    await page.getByRole('heading', { name: 'No such document' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('of another type is edited as text', async () => {
    const { open, path, stored } = await start({ type: 'text', content: 'a\nb' });
    const { page } = await open(ann, path);
    const area = page.getByLabel('Content', { exact: true });
    expect(await area.inputValue()).toBe('a\nb');
    await area.fill('a\nb\nc');
    await stateIs(page, 'Saved');
    await expect.poll(async () => (await stored()).content).toBe('a\nb\nc');
    expect(await page.locator('.preview').count()).toBe(0);
  });
});
