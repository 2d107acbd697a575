// Finding and making documents. The routes are in `api/documents/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  ann,
  bob,
  button,
  hasFocus,
  startDocuments,
  three,
  titles,
} from '../../support/pages/documents-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the documents page in a browser', () => {
  const start = (documents: Parameters<typeof startDocuments>[1]) =>
    startDocuments(browser, documents);

  it('shows views, filters, searches and sorts, all in the address', async () => {
    const { open, api } = await start(three);
    const { page, complaints } = await open();
    await page.getByText('1–3 of 3').waitFor();
    await expect
      .poll(() => titles(page))
      .toEqual(['Paper contract', 'House rules', 'Minutes of May']);
    await inspect(page, 'documents');
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect
      .poll(() => titles(page))
      .toEqual(['House rules', 'Minutes of May', 'Paper contract']);
    expect(page.url()).toContain('sort=title');
    await button(page, 'Folder').click();
    await page.getByRole('menuitemradio', { name: 'Minutes' }).click();
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);
    expect(page.url()).toContain('folder=Minutes');
    expect(page.url()).not.toContain('sort=');
    await page.reload();
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);

    // By keyboard: another filter on top, which leaves nothing.
    await button(page, 'Tag').focus();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Any tag');
    // The tags come with a request of their own.
    await page.getByRole('menuitemradio', { name: 'legal' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('No documents match your filters.').waitFor();
    await button(page, 'Clear filters').click();
    await expect.poll(async () => (await titles(page)).length).toBe(3);
    await page.goBack();

    await page.getByLabel('Search titles and texts').fill('pap');
    await expect.poll(() => titles(page)).toEqual(['Paper contract']);
    await expect.poll(() => button(page, 'Folder').count()).toBe(0);
    await page.getByLabel('Search titles and texts').fill('quorum');
    await expect.poll(() => titles(page)).toEqual(['House rules']);
    await page.getByText('Found in the text · #board #rules').waitFor();
    await inspect(page, 'documents by text');
    await page.getByLabel('Search titles and texts').fill('');
    await expect.poll(async () => (await titles(page)).length).toBe(3);

    await page.getByRole('link', { name: 'Shared with me' }).click();
    await page.getByText('No one has shared a document with you yet').waitFor();
    await page.getByRole('link', { name: 'Mine' }).click();
    await expect.poll(async () => (await titles(page)).length).toBe(3);
    await button(page, 'Type').click();
    await page.getByRole('menuitemradio', { name: 'Markdown' }).click();
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);
    expect(new URL(page.url()).search).toBe('?show=mine&type=markdown');

    // Authors are those of what is seen.
    await api('POST', '', { title: 'x' }, bob);
    const { page: bobs } = await open(bob);
    await expect.poll(() => titles(bobs)).toEqual(['House rules']);
    await button(bobs, 'Author').click();
    await bobs.getByRole('menuitemradio', { name: 'Ann' }).click();
    await expect.poll(() => new URL(bobs.url()).searchParams.has('author')).toBe(true);
    await expect.poll(() => titles(bobs)).toEqual(['House rules']);
    await bobs.locator('.chip.on', { hasText: 'Ann' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds one of many tags by typing, by keyboard alone', async () => {
    const tags = Array.from({ length: 12 }, (_, at) => `tag ${at}`);
    const { open } = await start([{ title: 'Words', tags }, { title: 'Plain' }]);
    const { page, complaints } = await open();
    await page.getByText('1–2 of 2').waitFor();
    await button(page, 'Tag').focus();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Find a tag');
    await page.keyboard.type('TAG 1');
    await expect.poll(() => page.getByRole('menuitemradio').count()).toBe(3);
    await page.keyboard.press('Enter');
    await expect.poll(() => titles(page)).toEqual(['Words']);
    expect(new URL(page.url()).searchParams.get('tag')).toBe('tag 1');
    await hasFocus(page, 'Tag: #tag 1');
    expect(complaints).toEqual([]);
  });

  it('makes a document by keyboard alone with the first character, and none if nothing is written', async () => {
    const { open, list } = await start(three);
    const { page, complaints } = await open(ann, '/documents?folder=Minutes&tag=board');
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);
    await page.locator('#new-document').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/documents\/new\?/);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    await page.goBack();
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);
    await page.goForward();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('content');
    expect((await list()).total).toBe(3);
    await page.keyboard.type('We met.');
    await page.waitForURL(/\/documents\/\d+$/);
    // The title is replaced by what is typed.
    await page.getByLabel('Title', { exact: true }).focus();
    await page.keyboard.type('Minutes of June');
    await page.keyboard.press('Control+s');
    await expect
      .poll(async () => (await list()).items[0])
      .toMatchObject({
        title: 'Minutes of June',
        type: 'markdown',
        folder: 'Minutes',
        tags: ['board'],
        visibility: 'private',
        size: 7,
      });
    await button(page, 'Actions for this document').click();
    await page.getByRole('menuitem', { name: 'Change to Plain text' }).click();
    await expect.poll(async () => (await list()).items[0].type).toBe('text');
    await expect.poll(() => page.locator('.preview').count()).toBe(0);
    await expect.poll(() => page.locator('textarea#content').inputValue()).toBe('We met.');
    // Nor does a reload make another.
    await page.goto(new URL('/documents', page.url()).href);
    await page.getByText('1–4 of 4').waitFor();
    expect(complaints.filter((text) => !text.includes('/documents/'))).toEqual([]);
  });
});
