import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import {
  choose,
  downloaded,
  expectTold,
  line,
  named,
  names,
  openFiles,
  poll,
  sha256,
  signIn,
  startFiles,
} from '../support/pages/files-page.ts';
import { inspect, openContext, openPage } from '../support/pages/open-page.ts';
import { send } from '../support/run/process.ts';

describe.skipIf(!hasBrowser)('the list of files in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('renames, moves, marks and finds files', { timeout: 120_000 }, async () => {
    const service = await startFiles();
    const { page, token, complaints } = await openFiles(browser, service);
    const { url } = service;
    for (const [name, folder] of [
      ['Photos', ''],
      ['2026', 'Photos'],
      ['Old', ''],
    ]) {
      await send(`${url}/api/files/folders`, { method: 'POST', token, body: { name, folder } });
    }
    const files = ['Trip to Rome.txt', 'Bills.txt'].map((name) => named(name, name));
    await page.getByLabel('Upload files').setInputFiles(files);
    await expectTold(page, '2 files uploaded');

    await line(page, 'Bills.txt').getByLabel('More actions: Bills.txt').click();
    await inspect(page, 'files-menu');
    await page.getByRole('button', { name: 'Rename: Bills.txt' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    expect(await page.evaluate('getSelection().toString()')).toBe('Bills');
    await name.fill('a/b');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must not contain slashes.').waitFor();
    await inspect(page, 'files-rename');
    await name.fill('Accounts.txt');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Renamed to “Accounts.txt”').waitFor();
    await poll(() => page.evaluate('document.activeElement.textContent')).toBe('Accounts.txt');

    await choose(page, 'Trip to Rome.txt', 'Move');
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Move here' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Photos' }).click();
    await dialog.getByRole('button', { name: '2026' }).click();
    await dialog.getByText('No folders here.').waitFor();
    await inspect(page, 'files-move');
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await page.getByText('Moved “Trip to Rome.txt” to Photos/2026').waitFor();
    expect((await names(page)).sort()).toEqual(['Accounts.txt', 'Old', 'Photos']);
    await choose(page, 'Photos', 'Move');
    await dialog.getByRole('button', { name: 'Old' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Photos' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Favorite: Accounts.txt' }).click();
    await page.getByText('Added “Accounts.txt” to favorites').waitFor();
    const star = page.getByRole('button', { name: 'Favorite: Accounts.txt' });
    expect(await star.getAttribute('aria-pressed')).toBe('true');
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Favorite: Accounts.txt');
    await page.getByLabel('Sort').selectOption('Name');
    await poll(() => names(page)).toEqual(['Old', 'Photos', 'Accounts.txt']);
    await inspect(page, 'files-list');

    await page.getByLabel('Show').selectOption('Favorites');
    await poll(() => names(page)).toEqual(['Accounts.txt']);
    expect(await page.getByLabel('Sort').isVisible()).toBe(false);
    await page.getByLabel('Show').selectOption('Images');
    await page.getByText('No files of this type.').waitFor();
    await page.getByLabel('Show').selectOption('Documents');
    await poll(async () => (await names(page)).length).toBe(2);
    await page.reload();
    await poll(async () => (await names(page)).length).toBe(2);
    expect(await page.getByLabel('Show').inputValue()).toBe('document');

    await page.getByLabel('Search', { exact: true }).fill('rome tr');
    await page.getByText(/· in Photos\/2026$/).waitFor();
    await poll(() => names(page)).toEqual(['Trip to Rome.txt']);
    await inspect(page, 'files-search');
    await page.getByLabel('Search', { exact: true }).fill('nothing');
    await page.getByText('No files match your search.').waitFor();
    await page.getByLabel('Search', { exact: true }).fill('');
    await poll(async () => (await names(page)).length).toBe(2);

    await page.goto(`${url}/files?folder=Photos%2F2026`);
    await page.getByRole('link', { name: 'Trip to Rome.txt', exact: true }).waitFor();
    const path = page.getByRole('navigation', { name: 'Folder' });
    await inspect(page, 'files-folder');
    await path.getByRole('link', { name: 'Photos' }).click();
    await poll(() => names(page)).toEqual(['2026']);
    await choose(page, '2026', 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The folder is not empty').waitFor();
    await page.goto(`${url}/files?folder=Gone`);
    await page.getByText('This folder no longer exists.').waitFor();
    await inspect(page, 'files-gone');
    expect(complaints).toEqual([]);
  });

  it('supports the keyboard', { timeout: 120_000 }, async () => {
    const { page } = await openFiles(browser, await startFiles());
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    const label = () =>
      page.evaluate(
        'document.activeElement.ariaLabel ?? document.activeElement.id',
      ) as Promise<string>;
    const tabTo = async (wanted: string) => {
      for (let at = 0; at < 30 && (await label()) !== wanted; at += 1) await press('Tab');
      expect(await label()).toBe(wanted);
    };
    // Registered early, so that the browser never shows its own dialog.
    page.on('filechooser', (chooser) => chooser.setFiles(named('key.txt', 'By keys')));
    await tabTo('choose');
    await press('Enter');
    await expectTold(page, '1 file uploaded');
    await line(page, 'key.txt').waitFor();
    await tabTo('More actions: key.txt');
    await press('Enter', 'Escape');
    expect(await label()).toBe('More actions: key.txt');
    expect(await page.getByRole('button', { name: 'Rename: key.txt' }).isVisible()).toBe(false);
    await press('Enter', 'Tab', 'Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('renamed');
    await press('Enter');
    await page.getByText('Renamed to “renamed.txt”').waitFor();
    await tabTo('Favorite: renamed.txt');
    await press('Space');
    await page.getByText('Added “renamed.txt” to favorites').waitFor();
    await tabTo('More actions: renamed.txt');
    await press('Enter', 'Tab', 'Tab', 'Tab', 'Enter');
    await page.getByRole('heading', { name: 'Delete permanently?' }).waitFor();
    await press('Tab', 'Enter');
    await page.getByText('No files yet').waitFor();
  });

  it('shows shared files without actions to users who can only view', {
    timeout: 120_000,
  }, async () => {
    const service = await startFiles();
    const { page, token } = await openFiles(browser, service);
    await page.getByLabel('Upload files').setInputFiles(named('shared.txt', 'For you'));
    await expectTold(page, '1 file uploaded');
    const { body } = await send(`${service.url}/api/files`, { token });
    const [{ id }] = body.data.items;
    const change = { method: 'PUT', token, body: { visibility: 'everyone' } };
    await send(`${service.url}/api/files/${id}`, change);

    const reader = await openFiles(browser, service, { email: 'rea@example.com', permissions: [] });
    await line(reader.page, 'shared.txt').waitFor();
    await reader.page.getByText('You don’t have permission to upload files.').waitFor();
    await reader.page.getByText(/· by ann$/).waitFor();
    await inspect(reader.page, 'files-reader');
    expect(await reader.page.locator('#main').getByRole('button').allInnerTexts()).toEqual([]);
    const link = reader.page.getByRole('link', { name: 'Download: shared.txt' });
    const got = await downloaded(reader.page, () => link.click());
    expect(got).toEqual({ name: 'shared.txt', hash: sha256(Buffer.from('For you')) });

    await send(`${service.url}/api/files/${id}`, { method: 'DELETE', token });
    await link.click();
    await reader.page.getByText('File not found.').waitFor();
  });

  it('shows several pages and keeps them after a change', {
    timeout: 120_000,
  }, async () => {
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
    expect(await names(page)).toHaveLength(50);
    await page.getByRole('button', { name: 'Show more' }).dblclick();
    await poll(() => names(page)).toHaveLength(53);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Folder 2');
    expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
    await choose(page, 'Folder 0', 'Delete');
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('52 items').waitFor();
    expect(await names(page)).toHaveLength(52);
  });
});
