import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { send } from '../../support/run/process.ts';

const permissions = [
  'documents:view',
  'documents:create',
  'documents:update',
  'documents:delete',
  'users:view',
];
const ann = 'ann@example.com';
const bob = 'bob@example.com';

describe.skipIf(!hasBrowser)('the documents page in a browser', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Starts a service with Ann, who can do all with documents, Bob, who can only view them, and these documents of Ann. */
  const start = async (documents: readonly Record<string, unknown>[] = []) => {
    const service = await startConsole(browser, [
      { name: 'Ann', role: 'guest', permissions },
      { name: 'Bob', role: 'guest', permissions: ['documents:view'] },
    ]);
    const tokens = new Map<string, string>();
    const api = async (method: string, path: string, body?: unknown, as = ann) => {
      const token = tokens.get(as) ?? (await service.signIn(as));
      tokens.set(as, token);
      const options = { method, token, ...(body !== undefined && { body }) };
      return send(`${service.url}/api/documents${path}`, options);
    };
    for (const document of documents) {
      const made = await api('POST', '', document);
      expect(made.status, JSON.stringify(made.body)).toBe(201);
    }
    const list = async (query = '', as = ann) => (await api('GET', query, undefined, as)).body.data;
    const open = (email = ann, path = '/documents', width = 1440) =>
      service.open(email, path, { width, height: 900 });
    return { ...service, api, list, open };
  };

  const titles = (page: Page) => page.locator('#documents td.m b').allInnerTexts();
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
  const dialog = (page: Page, name?: string | RegExp) =>
    page.getByRole('dialog', name === undefined ? {} : { name });
  const choose = async (page: Page, title: string, action: string) => {
    await button(page, `Actions for ${title}`).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const hasFocus = (page: Page, name: string) =>
    expect
      .poll(() =>
        page.evaluate(
          'document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent.trim()',
        ),
      )
      .toBe(name);

  const three = [
    { title: 'Minutes of May', folder: 'Minutes', tags: ['board'], type: 'markdown' },
    { title: 'House rules', folder: 'House', tags: ['board', 'rules'], visibility: 'everyone' },
    { title: 'Paper contract', tags: ['legal'] },
  ];

  it('shows views, filters, searches and sorts, all in the address', async () => {
    const { open, api } = await start(three);
    const { page, complaints } = await open();
    await page.getByText('1–3 of 3').waitFor();
    expect(await titles(page)).toEqual(['Paper contract', 'House rules', 'Minutes of May']);
    await inspect(page, 'documents');
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click();
    await expect
      .poll(() => titles(page))
      .toEqual(['House rules', 'Minutes of May', 'Paper contract']);
    expect(page.url()).toContain('sort=title');
    await button(page, 'Folder').click();
    await inspect(page, 'documents-folders');
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
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByText('No documents match your filters.').waitFor();
    await button(page, 'Clear filters').click();
    await expect.poll(async () => (await titles(page)).length).toBe(3);
    await page.goBack();

    await page.getByLabel('Search titles').fill('pap');
    await expect.poll(() => titles(page)).toEqual(['Paper contract']);
    expect(await button(page, 'Folder').count()).toBe(0);
    await page.getByLabel('Search titles').fill('');
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

  it('pages through many, both ways', async () => {
    const many = Array.from({ length: 27 }, (_, at) => ({ title: `Note ${at + 1}` }));
    const { open } = await start(many);
    const { page } = await open(ann, '/documents', 390);
    await page.getByText('1–25 of 27').waitFor();
    await inspect(page, 'documents-phone');
    await button(page, 'Next').click();
    await page.getByText('26–27 of 27').waitFor();
    expect(await titles(page)).toEqual(['Note 2', 'Note 1']);
    await page.reload();
    await page.getByText('26–27 of 27').waitFor();
    await button(page, 'Previous').click();
    await page.getByText('1–25 of 27').waitFor();
  });

  it('makes a document by keyboard alone, and opens it', async () => {
    const { open, list } = await start(three);
    const { page, complaints } = await open(ann, '/documents?new');
    const form = dialog(page, 'New document');
    await form.waitFor();
    await hasFocus(page, 'Title');
    await inspect(page, 'documents-new');
    await page.keyboard.press('Enter');
    await form.getByText('Enter a title.').waitFor();
    await hasFocus(page, 'Title');
    await page.keyboard.type('Minutes of June');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Minutes');
    await page.keyboard.press('Tab');
    await page.keyboard.type('#board, june, board');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/documents\/\d+$/);
    const [made] = (await list()).items;
    expect(made).toMatchObject({
      title: 'Minutes of June',
      type: 'markdown',
      folder: 'Minutes',
      tags: ['board', 'june'],
      visibility: 'private',
    });
    expect(page.url()).toContain(String(made.id));
    // Nor does a reload ask again.
    await page.goBack();
    await page.getByText('1–4 of 4').waitFor();
    expect(await dialog(page).count()).toBe(0);
    expect(complaints.filter((text) => !text.includes('/documents/'))).toEqual([]);
  });

  it('renames, moves, tags and shows to everyone; keeps what others changed', async () => {
    const { open, list, api } = await start(three);
    const { page, complaints } = await open();
    await choose(page, 'Paper contract', 'Rename');
    await hasFocus(page, 'Title');
    // Someone has changed something else meanwhile, which stays.
    const { id } = (await list('?search=paper')).items[0];
    await api('PUT', `/${id}`, { folder: 'Legal' });
    await page.keyboard.type('Paper');
    await page.keyboard.press('Enter');
    await page.getByText('Renamed to “Paper”').waitFor();
    expect((await list('?search=paper')).items[0]).toMatchObject({
      title: 'Paper',
      folder: 'Legal',
    });
    await hasFocus(page, 'Actions for Paper');

    // Now it is the same.
    await choose(page, 'Paper', 'Rename');
    await hasFocus(page, 'Title');
    await api('PUT', `/${id}`, { title: 'Paper, theirs' });
    await page.keyboard.type('Paper, mine');
    await page.keyboard.press('Enter');
    await page.getByText('Title: yours is “Paper, mine”, theirs is “Paper, theirs”.').waitFor();
    await inspect(page, 'documents-conflict');
    await button(page, 'Keep mine').click();
    await page.getByText('Renamed to “Paper, mine”').waitFor();
    await choose(page, 'Paper, mine', 'Rename');
    await hasFocus(page, 'Title');
    await api('PUT', `/${id}`, { title: 'Paper' });
    await page.keyboard.type('Another');
    await page.keyboard.press('Enter');
    await button(page, 'Keep theirs').click();
    await page.getByRole('link', { name: 'Paper', exact: true }).waitFor();
    expect((await list('?search=paper')).items[0].title).toBe('Paper');

    await choose(page, 'Paper', 'Change tags');
    await dialog(page).getByLabel('Tags').fill('legal, print');
    await button(page, 'Save').click();
    await page.getByText('#legal #print').waitFor();

    await choose(page, 'Paper', 'Show to everyone');
    await page.getByText('Everyone can read “Paper” now').waitFor();
    expect((await list('?search=paper', bob)).total).toBe(1);
    await page
      .getByRole('status')
      .filter({ hasText: 'Everyone can read' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(async () => (await list('?search=paper', bob)).total).toBe(0);

    // Several at once, and back.
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Move to folder' }).click();
    await dialog(page, 'Move 3 documents').getByLabel('Folder').fill('Archive');
    await button(page, 'Move').last().click();
    await page.getByText('3 documents moved to Archive').waitFor();
    expect((await list('?folder=Archive')).total).toBe(3);
    await page
      .getByRole('status')
      .filter({ hasText: '3 documents moved' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(async () => (await list('?folder=Archive')).total).toBe(0);
    expect((await list('?folder=Legal')).total).toBe(1);
    expect(complaints.filter((text) => !text.includes('412'))).toEqual([]);
  });

  it('shares with a person, who sees it, and takes it away again', async () => {
    const { open, list } = await start(three);
    const { page, complaints } = await open();
    const { page: bobs } = await open(bob, '/documents?show=shared');
    await bobs.getByText('No one has shared a document with you yet').waitFor();

    await choose(page, 'Paper contract', 'Share');
    const share = dialog(page, 'Share “Paper contract”');
    await share.getByText('Not shared with anyone yet').waitFor();
    await share.getByRole('searchbox').fill('bob');
    await share.getByRole('button', { name: /^Bob/ }).waitFor();
    await inspect(page, 'documents-share');
    await share.getByRole('button', { name: /^Bob/ }).focus();
    await page.keyboard.press('Enter');
    await share.getByText('Shared with Bob').waitFor();
    await hasFocus(page, 'Search by name or email');
    await inspect(page, 'documents-shared');

    await bobs.reload();
    await expect.poll(() => titles(bobs)).toEqual(['Paper contract']);
    await button(bobs, 'Actions for Paper contract').click();
    expect(await bobs.getByRole('menuitem').allInnerTexts()).toEqual(['Open']);
    expect(await bobs.getByRole('checkbox').count()).toBe(0);
    expect(await bobs.locator('#new-document').count()).toBe(0);

    // Found no more: it is shared already, and Ann is its author.
    await share.getByRole('searchbox').fill('b');
    await share.getByText('No one found. Try another name.').waitFor();
    await share.getByRole('button', { name: 'Stop sharing with Bob' }).click();
    await share.getByText('No longer shared with Bob').waitFor();
    await share.getByRole('radio', { name: /Everyone/ }).check();
    await share.getByText('Everyone who can view documents can read it now').waitFor();
    await share.getByRole('radio', { name: /You and/ }).check();
    await share.getByText('Only you and the people below can read it now').waitFor();
    await bobs.reload();
    await bobs.getByText('No one has shared a document with you yet').waitFor();
    expect((await list('?search=paper', bob)).total).toBe(0);
    await share.getByRole('button', { name: 'Done' }).click();
    await hasFocus(page, 'Actions for Paper contract');
    await page.getByText('Only you').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('says who can’t search for people, and what a dialog can’t do without a connection', async () => {
    const service = await startConsole(browser, [
      { name: 'Cem', role: 'guest', permissions: ['documents:*'] },
    ]);
    const token = await service.signIn('cem@example.com');
    const body = { title: 'Mine' };
    await send(`${service.url}/api/documents`, { method: 'POST', token, body });
    const { page } = await service.open('cem@example.com', '/documents', {
      width: 390,
      height: 844,
    });
    await choose(page, 'Mine', 'Share');
    await dialog(page)
      .getByText(/You can’t search for people/)
      .waitFor();
    expect(await dialog(page).getByRole('searchbox').count()).toBe(0);
    await inspect(page, 'documents-share-denied');
    await page.context().setOffline(true);
    await dialog(page)
      .getByRole('radio', { name: /Everyone/ })
      .click();
    await dialog(page)
      .getByText(/Can’t reach the server/)
      .waitFor({ timeout: 30_000 });
    expect(
      await dialog(page)
        .getByRole('radio', { name: /You and/ })
        .isChecked(),
    ).toBe(true);
    await page.context().setOffline(false);
    await dialog(page)
      .getByRole('radio', { name: /Everyone/ })
      .check();
    await dialog(page)
      .getByText(/can read it now/)
      .waitFor();
  });

  it('deletes with Undo, restores, and deletes for good after a question', async () => {
    const { open, list, api } = await start(three);
    const { page, complaints } = await open();
    await choose(page, 'House rules', 'Delete');
    await page.getByText('“House rules” deleted').waitFor();
    await expect.poll(() => titles(page)).toEqual(['Paper contract', 'Minutes of May']);
    expect((await list()).total).toBe(3);
    await button(page, 'Undo').click();
    await expect.poll(async () => (await titles(page)).length).toBe(3);

    // Gone once the page is left.
    for (const title of ['House rules', 'Paper contract']) {
      await page.getByLabel(`Select ${title}`).check();
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => titles(page)).toEqual(['Minutes of May']);
    await page.goto(page.url().replace(/\?.*|$/, '?show=trash'));
    await expect.poll(async () => (await list()).total).toBe(1);
    await page.reload();
    await expect
      .poll(async () => (await titles(page)).toSorted())
      .toEqual(['House rules', 'Paper contract']);
    await inspect(page, 'documents-trash');
    await choose(page, 'House rules', 'Restore');
    await page.getByText('“House rules” restored').waitFor();
    await expect.poll(() => titles(page)).toEqual(['Paper contract']);
    expect((await list()).total).toBe(2);

    await choose(page, 'Paper contract', 'Delete for good');
    const question = dialog(page, 'Delete “Paper contract” for good?');
    await question.waitFor();
    await inspect(page, 'documents-purge');
    await hasFocus(page, 'Cancel');
    await page.keyboard.press('Escape');
    expect((await api('GET', '/trash')).body.data.total).toBe(1);
    await choose(page, 'Paper contract', 'Delete for good');
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('“Paper contract” deleted for good').waitFor();
    await page.getByText('The trash is empty').waitFor();
    await inspect(page, 'documents-trash-empty');
    expect((await api('GET', '/trash')).body.data.total).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says what failed, and tries again', async () => {
    const { open, list } = await start(three);
    const { page } = await open(ann, '/documents?show=mine');
    await page.getByText('1–3 of 3').waitFor();
    const fail = {
      status: 500,
      json: { success: false, error: { code: 'X', message: 'It broke.' } },
    };
    await page.route('**/api/documents/*', (route) => route.fulfill(fail));
    await choose(page, 'Paper contract', 'Show to everyone');
    await page.getByText('Couldn’t change “Paper contract”. It broke.').waitFor();
    await expect.poll(() => page.getByText('Everyone', { exact: true }).count()).toBe(1);
    await page.unroute('**/api/documents/*');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Everyone can read “Paper contract” now').waitFor();
    expect((await list('', bob)).total).toBe(2);
    await page.route('**/api/documents?*', (route) => route.fulfill(fail));
    await page.getByRole('link', { name: 'All' }).click();
    await page.getByRole('main').getByText('It broke.').waitFor();
    await inspect(page, 'documents-failed');
    await page.unroute('**/api/documents?*');
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1–3 of 3').waitFor();
  });
});
