import type { Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  downloaded,
  expectTold,
  line,
  named,
  names,
  openFiles,
  sha256,
  signIn,
  startFiles,
} from '../../support/pages/files-page.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the list of files in a browser', () => {
  it('moves files onto folders by dragging, and several at once', async () => {
    const service = await startFiles();
    const { page, token } = await openFiles(browser, service);
    const { url } = service;
    const make = (name: string, folder = '') =>
      send(`${url}/api/files/folders`, { method: 'POST', token, body: { name, folder } });
    await make('Photos');
    await page
      .locator('#choose')
      .setInputFiles(['a.txt', 'b.txt', 'c.txt'].map((n) => named(n, n)));
    await expectTold(page, '3 files uploaded');
    await page.getByRole('button', { name: 'Clear list' }).click();

    await line(page, 'a.txt').dragTo(line(page, 'Photos'));
    await page.getByText('“a.txt” moved to Photos').waitFor();
    await expect.poll(async () => (await names(page)).sort()).toEqual(['Photos', 'b.txt', 'c.txt']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await names(page)).sort())
      .toEqual(['Photos', 'a.txt', 'b.txt', 'c.txt']);

    // A refused Undo says why, and can be repeated.
    const refuse = (route: Route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 409, json: { error: { message: 'Not now.', code: 'CONFLICT' } } })
        : route.fallback();
    await line(page, 'a.txt').dragTo(line(page, 'Photos'));
    await page.getByText('“a.txt” moved to Photos').waitFor();
    await page.route('**/api/files/*', refuse);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Couldn’t move “a.txt”. Not now.').waitFor();
    await page.unroute('**/api/files/*', refuse);
    await page.getByRole('button', { name: 'Try again' }).click();
    await line(page, 'a.txt').waitFor();

    // Selected ones go together. One is refused.
    const { body } = await send(`${url}/api/files`, { token });
    const { id } = body.data.items.find(({ name }: { name: string }) => name === 'c.txt');
    await page.route(`**/api/files/${id}`, (route) =>
      route.fulfill({ status: 409, json: { error: { message: 'Not now.', code: 'CONFLICT' } } }),
    );
    for (const name of ['b.txt', 'c.txt']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move' }).click();
    const dialog = page.getByRole('dialog', { name: 'Move 2 items' });
    await dialog.getByRole('button', { name: 'Photos' }).click();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await page.getByText('“b.txt” moved to Photos').waitFor();
    await page.getByText('Couldn’t move “c.txt”. Not now.').waitFor();
    await expect.poll(async () => (await names(page)).sort()).toEqual(['Photos', 'a.txt', 'c.txt']);

    // Onto the path, back to the top.
    await page.getByRole('link', { name: 'Photos', exact: true }).click();
    await line(page, 'b.txt').waitFor();
    const path = page.getByRole('navigation', { name: 'Folder' });
    await line(page, 'b.txt').dragTo(path.getByRole('link', { name: 'My files' }));
    await page.getByText('“b.txt” moved to My files').waitFor();
    await page.getByText('This folder is empty').waitFor();
    await path.getByRole('link', { name: 'My files' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(4);
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('4 items deleted').waitFor();
    await page.getByText('No files yet').waitFor();
  });

  it('shows several pages and keeps them after a change', async () => {
    const service = await startFiles();
    const { url } = service;
    const token = await service.newUser('ann@example.com');
    for (let at = 0; at < 53; at += 1) {
      const body = { name: `Folder ${at}` };
      await send(`${url}/api/files/folders`, { method: 'POST', token, body });
    }
    const context = await openContext(browser);
    await signIn(context, url, 'ann@example.com');
    const { page } = await openPage(context, `${url}/files`);
    await page.getByText('53 items').waitFor();
    await expect.poll(() => names(page)).toHaveLength(50);
    await page.getByRole('button', { name: 'Show more' }).dblclick();
    await expect.poll(() => names(page)).toHaveLength(53);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Folder 2');
    await expect
      .poll(() => page.getByRole('button', { name: 'Show more' }).isVisible())
      .toBe(false);
    await choose(page, 'Folder 0', 'Delete');
    await page.getByText('52 items').waitFor();
    await expect.poll(() => names(page)).toHaveLength(52);
  });

  it('supports the keyboard', async () => {
    const { page } = await openFiles(browser, await startFiles());
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    // Registered early, so that the browser never shows its own dialog.
    page.on('filechooser', (chooser) => chooser.setFiles(named('key.txt', 'By keys')));
    await page.getByRole('button', { name: 'Upload files' }).focus();
    await press('Enter');
    await expectTold(page, '1 file uploaded');
    await line(page, 'key.txt').waitFor();
    await press('j');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('key.txt');
    await press('Space');
    await page.getByRole('dialog', { name: 'key.txt' }).waitFor();
    await press('Escape');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('key.txt');
    await press('F2');
    await page.getByRole('dialog', { name: 'Rename “key.txt”' }).waitFor();
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('key');
    await page.keyboard.type('renamed');
    await press('Enter');
    await page.getByText('Renamed to “renamed.txt”').waitFor();
    await line(page, 'renamed.txt').waitFor();
    await page.locator('main').focus();
    await press('j', 'Delete');
    await page.getByText('No files yet').waitFor();
  });

  it('shows shared files without actions to users who can only view', async () => {
    const service = await startFiles();
    const { page, token } = await openFiles(browser, service);
    await page.locator('#choose').setInputFiles(named('shared.txt', 'For you'));
    await expectTold(page, '1 file uploaded');
    const { body } = await send(`${service.url}/api/files`, { token });
    const [{ id }] = body.data.items;
    const change = { method: 'PUT', token, body: { visibility: 'everyone' } };
    await send(`${service.url}/api/files/${id}`, change);

    const reader = await openFiles(browser, service, { email: 'rea@example.com', permissions: [] });
    await line(reader.page, 'shared.txt').waitFor();
    await reader.page.getByText('You don’t have permission to upload files.').waitFor();
    await reader.page.getByText(/· ann$/).waitFor();
    await expect.poll(() => reader.page.getByRole('checkbox').count()).toBe(0);
    await expect
      .poll(() => reader.page.getByRole('button', { name: 'Upload files' }).count())
      .toBe(0);
    await reader.page.getByRole('button', { name: 'Actions for shared.txt' }).click();
    await expect
      .poll(() => reader.page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Preview', 'Download']);
    await reader.page.keyboard.press('Escape');
    const download = () => choose(reader.page, 'shared.txt', 'Download');
    const got = await downloaded(reader.page, download);
    expect(got).toEqual({ name: 'shared.txt', hash: sha256(Buffer.from('For you')) });

    await send(`${service.url}/api/files/${id}`, { method: 'DELETE', token });
    await download();
    await reader.page.getByText('File not found.').waitFor();
  });
});
