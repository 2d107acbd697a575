import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  bob,
  button,
  choose,
  dialog,
  hasFocus,
  startDocuments,
  three,
  titles,
} from '../../support/pages/documents-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('changes of documents in a browser', () => {
  const start = (documents: Parameters<typeof startDocuments>[1]) =>
    startDocuments(browser, documents);

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
    await expect
      .poll(async () => (await list('?search=paper')).items[0])
      .toMatchObject({
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
    await button(page, 'Keep mine').click();
    await page.getByText('Renamed to “Paper, mine”').waitFor();
    await choose(page, 'Paper, mine', 'Rename');
    await hasFocus(page, 'Title');
    await api('PUT', `/${id}`, { title: 'Paper' });
    await page.keyboard.type('Another');
    await page.keyboard.press('Enter');
    await button(page, 'Keep theirs').click();
    await page.getByRole('link', { name: 'Paper', exact: true }).waitFor();
    await expect.poll(async () => (await list('?search=paper')).items[0].title).toBe('Paper');

    await choose(page, 'Paper', 'Change tags');
    await dialog(page).getByLabel('Tags').fill('legal, print');
    await button(page, 'Save').click();
    await page.getByText('#legal #print').waitFor();

    await choose(page, 'Paper', 'Show to everyone');
    await page.getByText('Everyone can read “Paper” now').waitFor();
    await expect.poll(async () => (await list('?search=paper', bob)).total).toBe(1);
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
    await expect.poll(async () => (await list('?folder=Archive')).total).toBe(3);
    await page
      .getByRole('status')
      .filter({ hasText: '3 documents moved' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await expect.poll(async () => (await list('?folder=Archive')).total).toBe(0);
    await expect.poll(async () => (await list('?folder=Legal')).total).toBe(1);
    expect(complaints.filter((text) => !text.includes('412'))).toEqual([]);
  });

  it('shares with a person, who sees it, and takes it away again', async () => {
    const { open, list } = await start(three);
    const { page, complaints } = await open();
    const { page: bobs } = await open(bob, '/documents?show=shared');
    await bobs.getByText('No one has shared a document with you yet').waitFor();

    await choose(page, 'Paper contract', 'Share');
    const share = dialog(page, 'Share “Paper contract”');
    await share.getByText('You', { exact: true }).waitFor();
    const find = share.getByRole('combobox', { name: 'Add people' });
    await hasFocus(page, 'Add people');
    await find.fill('bob');
    await share.getByRole('option', { name: /^Bob/ }).waitFor();
    await page.keyboard.press('Enter');
    await hasFocus(page, 'Add people');
    // Nothing is sent before, and nobody chosen is forgotten.
    await share.getByRole('button', { name: 'Done' }).click();
    await share.getByText('Not shared with Bob yet. Choose Share, or remove them.').waitFor();
    await share.getByRole('button', { name: 'Share', exact: true }).click();
    await share.getByText('Shared with Bob').waitFor();
    await expect.poll(() => share.getByText('Bob added, 1 person').count()).toBe(0);
    expect(await share.getByText(/^Bob removed/).count()).toBe(0);

    await bobs.reload();
    await expect.poll(() => titles(bobs)).toEqual(['Paper contract']);
    await button(bobs, 'Actions for Paper contract').click();
    await expect.poll(() => bobs.getByRole('menuitem').allInnerTexts()).toEqual(['Open']);
    await expect.poll(() => bobs.getByRole('checkbox').count()).toBe(0);
    await expect.poll(() => bobs.locator('#new-document').count()).toBe(0);

    // Not to be picked again.
    await find.fill('b');
    await share.getByRole('option', { name: 'Added', disabled: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Backspace');
    const bobsRole = share.getByLabel('What Bob can do');
    await bobsRole.selectOption('Remove');
    await share.getByText('Removed Bob').waitFor();
    await expect.poll(() => bobsRole.count()).toBe(0);
    const everyone = share.getByLabel('What everyone can do');
    await everyone.selectOption('Can edit');
    await share
      .getByText('Everyone who can view documents can change title and content now')
      .waitFor();
    await share.getByRole('button', { name: 'Undo' }).click();
    await share.getByText('Only those listed have access now').waitFor();
    await expect.poll(() => everyone.inputValue()).toBe('none');
    await bobs.reload();
    await bobs.getByText('No one has shared a document with you yet').waitFor();
    await expect.poll(async () => (await list('?search=paper', bob)).total).toBe(0);
    await share.getByRole('button', { name: 'Done' }).click();
    await hasFocus(page, 'Actions for Paper contract');
    await page.getByText('Only you').first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('makes a reader an editor at once, with Undo, who then renames and edits and no more', async () => {
    const { open, list, api, find } = await start(three);
    const { page, complaints } = await open();
    const { id } = (await list('?search=paper')).items[0];
    const { id: bobsId } = await find('Bob');
    await api('POST', `/${id}/share`, { userIds: [bobsId] });
    await choose(page, 'Paper contract', 'Share');
    const share = dialog(page, 'Share “Paper contract”');
    const role = share.getByLabel('What Bob can do');
    await expect.poll(() => role.inputValue()).toBe('reader');
    await role.selectOption('Can edit');
    await share.getByText('Bob can change title and content').waitFor();
    await share.getByRole('button', { name: 'Undo' }).click();
    await share.getByText('Bob can read it, not change it').waitFor();
    await expect.poll(() => role.inputValue()).toBe('reader');
    await role.selectOption('Can edit');
    await share.getByText('Bob can change title and content').waitFor();

    const { page: bobs, complaints: bobsComplaints } = await open(bob, '/documents?show=shared');
    await bobs.getByText('Can edit', { exact: true }).waitFor();
    await expect.poll(() => bobs.getByRole('checkbox').count()).toBe(0);
    await button(bobs, 'Actions for Paper contract').click();
    const items = bobs.getByRole('menuitem');
    await expect.poll(() => items.allInnerTexts()).toEqual(['Open', 'Rename']);
    await items.filter({ hasText: 'Rename' }).click();
    await dialog(bobs).getByLabel('Title').fill('Paper, by Bob');
    await bobs.keyboard.press('Enter');
    await bobs.getByText('Renamed to “Paper, by Bob”').waitFor();
    await bobs.getByRole('link', { name: 'Paper, by Bob' }).click();
    await bobs.getByLabel('Title', { exact: true }).waitFor();
    await bobs.getByText('Can edit', { exact: true }).waitFor();
    await expect.poll(() => button(bobs, /^Share$|^Folder|^Tag$/).count()).toBe(0);
    await button(bobs, 'Actions for this document').click();
    await expect.poll(() => items.filter({ hasText: /Delete|everyone/ }).count()).toBe(0);
    await bobs.keyboard.press('Escape');

    // The right ends while the page is open: the text stays.
    await api('POST', `/${id}/unshare`, { userIds: [bobsId] });
    await bobs.getByLabel('Title', { exact: true }).fill('Too late');
    await bobs.getByText('You can no longer change this document').waitFor();
    expect(await bobs.getByLabel('Title', { exact: true }).inputValue()).toBe('Too late');
    expect(complaints).toEqual([]);
    expect(bobsComplaints.filter((text) => !/40[34]/.test(text))).toEqual([]);
  });

  it('deletes with Undo, restores, and deletes for good after a question', async () => {
    const { open, list, api } = await start(three);
    const { page, complaints } = await open();
    await choose(page, 'House rules', 'Delete');
    await page.getByText('“House rules” deleted').waitFor();
    await expect.poll(() => titles(page)).toEqual(['Paper contract', 'Minutes of May']);
    await expect.poll(async () => (await list()).total).toBe(3);
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
    await choose(page, 'House rules', 'Restore');
    await page.getByText('“House rules” restored').waitFor();
    await expect.poll(() => titles(page)).toEqual(['Paper contract']);
    await expect.poll(async () => (await list()).total).toBe(2);

    await choose(page, 'Paper contract', 'Delete for good');
    const question = dialog(page, 'Delete “Paper contract” for good?');
    await question.waitFor();
    await hasFocus(page, 'Cancel');
    await page.keyboard.press('Escape');
    expect((await api('GET', '/trash')).body.data.total).toBe(1);
    await choose(page, 'Paper contract', 'Delete for good');
    await question.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('“Paper contract” deleted for good').waitFor();
    await page.getByText('The trash is empty').waitFor();
    expect((await api('GET', '/trash')).body.data.total).toBe(0);
    expect(complaints).toEqual([]);
  });
});
