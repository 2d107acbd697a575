import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  expectTold,
  line,
  named,
  names,
  openFiles,
  startFiles,
} from '../../support/pages/files-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the list of files in a browser', () => {
  it('renames, moves, marks and finds files', async () => {
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
    await page.locator('#choose').setInputFiles(files);
    await expectTold(page, '2 files uploaded');

    await page.getByRole('button', { name: 'Actions for Bills.txt' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).waitFor();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    const name = page.getByRole('textbox', { name: 'Name' });
    await expect.poll(() => page.evaluate('getSelection().toString()')).toBe('Bills');
    await name.fill('a/b');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must not contain slashes.').waitFor();
    await inspect(page, 'files-rename');
    await name.fill('Accounts.txt');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Renamed to “Accounts.txt”').waitFor();
    await line(page, 'Accounts.txt').waitFor();

    await choose(page, 'Trip to Rome.txt', 'Move');
    const dialog = page.getByRole('dialog');
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Move here' }).isDisabled())
      .toBe(true);
    await dialog.getByRole('button', { name: 'Photos' }).click();
    await dialog.getByRole('button', { name: '2026' }).click();
    await dialog.getByText('No folders here.').waitFor();
    await dialog.getByRole('button', { name: 'Move here' }).click();
    await page.getByText('“Trip to Rome.txt” moved to Photos/2026').waitFor();
    await expect
      .poll(async () => (await names(page)).sort())
      .toEqual(['Accounts.txt', 'Old', 'Photos']);
    await choose(page, 'Photos', 'Move');
    await dialog.getByRole('button', { name: 'Old' }).waitFor();
    await expect.poll(() => dialog.getByRole('button', { name: 'Photos' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Favorite: Accounts.txt' }).click();
    const star = page.getByRole('button', { name: 'Favorite: Accounts.txt' });
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true');
    await expect
      .poll(() => page.evaluate('document.activeElement.ariaLabel'))
      .toBe('Favorite: Accounts.txt');
    const byName = page.getByRole('columnheader', { name: 'Name' });
    await byName.getByRole('button').click();
    await expect.poll(() => names(page)).toEqual(['Old', 'Photos', 'Accounts.txt']);

    await page.getByLabel('Show', { exact: true }).selectOption('Favorites');
    await expect.poll(() => names(page)).toEqual(['Accounts.txt']);
    await expect.poll(() => byName.getByRole('button').count()).toBe(0);
    await page.getByLabel('Show', { exact: true }).selectOption('Images');
    await page.getByText('No files of this type').waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('Documents');
    await expect.poll(async () => (await names(page)).length).toBe(2);
    await page.reload();
    await expect.poll(async () => (await names(page)).length).toBe(2);
    await expect.poll(() => page.getByLabel('Show', { exact: true }).inputValue()).toBe('document');

    await page.getByLabel('Search file names').fill('rome tr');
    await page.getByText(/· in Photos\/2026$/).waitFor();
    await expect.poll(() => names(page)).toEqual(['Trip to Rome.txt']);
    await page.getByLabel('Search file names').fill('nothing');
    await page.getByText('No files match your search.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(3);

    await page.goto(`${url}/files?folder=Photos%2F2026`);
    await page.getByRole('link', { name: 'Trip to Rome.txt', exact: true }).waitFor();
    const path = page.getByRole('navigation', { name: 'Folder' });
    await path.getByRole('link', { name: 'Photos' }).click();
    await expect.poll(() => names(page)).toEqual(['2026']);
    await choose(page, '2026', 'Delete');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Couldn’t delete “2026”. The folder is not empty').waitFor();
    await expect.poll(() => names(page)).toEqual(['2026']);
    await page.goto(`${url}/files?folder=Gone`);
    await page.getByText('This folder no longer exists.').waitFor();
    expect(complaints).toEqual([]);
  });
});
