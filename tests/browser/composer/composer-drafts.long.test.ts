// Drafts of edited shares in rarer cases: after conflicts, lost responses, sign-outs, and beside other shares.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  isKept,
  kept,
  openEdit,
  passwordMode,
  save,
  saved,
  signInAgain,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

const stored = {
  content: '# Before',
  language: 'markdown',
  title: 'A note',
  password: 'Abc123',
  viewLimit: 5,
};

describe.skipIf(!hasBrowser)('the draft of an edited share', () => {
  const bringBack = (page: Page) => page.getByRole('button', { name: 'Restore my draft' });

  const title = (page: Page) => page.getByLabel('Title');
  const views = (page: Page) => page.getByLabel('View limit');

  it('is restored if the share was only viewed since', async () => {
    const { page, url, id, own } = await openEdit(browser, { ...stored, password: null });
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    expect((await send(`${url}/api/share?id=${id}`)).status).toBe(200);
    await page.reload();
    await page.getByText('Draft restored.').waitFor();
    await textIs(page, '# Mine');
    await save(page).click();
    await saved(page);
    await expect.poll(() => own()).toMatchObject({ content: '# Mine', viewsLeft: 4 });
  });

  it('is offered again after its restoration was undone', async () => {
    const { page, change } = await openEdit(browser, stored);
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    const before = await kept(page);
    await change({ content: '# Newer' });
    await page.reload();
    await bringBack(page).click();
    await expect.poll(() => kept(page)).not.toBe(before);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => kept(page)).toBe(before);
    await page.reload();
    await page.getByText('This share changed after you wrote your draft.').waitFor();
    await textIs(page, '# Newer');
  });

  it('is offered after a conflict, which does not overwrite the concurrent change', async () => {
    const { page, own, change } = await openEdit(browser, stored);
    await change({ content: '# Newer' });
    await text(page).fill('# Late');
    await save(page).click();
    const failure = page.getByRole('alert').filter({ hasText: /./ });
    await failure.waitFor();
    await expect
      .poll(() => failure.innerText())
      .toBe(
        'Not saved: this share changed after you opened it. Reload the page to see the current version and restore your draft.',
      );
    await textIs(page, '# Late');
    await expect.poll(async () => (await own()).content).toBe('# Newer');
    await page.reload();
    await bringBack(page).click();
    await save(page).click();
    await saved(page);
    await expect.poll(async () => (await own()).content).toBe('# Late');
  });

  it('is not offered if it equals the share', async () => {
    const { page, own } = await openEdit(browser, stored);
    await text(page).fill('# Mine');
    await page.route('**/api/share/*', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await save(page).click();
    await page.getByText('Can’t reach the server.').waitFor();
    await expect.poll(async () => (await own()).content).toBe('# Mine');
    await page.reload();
    await textIs(page, '# Mine');
    await expect.poll(() => bringBack(page).isVisible()).toBe(false);
  });

  it('is kept while another share is open', async () => {
    const { page, url, id, make } = await openEdit(browser, stored);
    const other = await make({ content: '<p>Another</p>' });
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    await page.goto(`${url}/?edit=${other}`);
    await textIs(page, '<p>Another</p>');
    await page.goto(`${url}/?edit=${id}`);
    await textIs(page, '# Mine');
  });

  it('is kept while the share can’t be read and until the user signs in again', async () => {
    const { page, context, url, id } = await openEdit(browser, stored);
    await text(page).fill('# Mine');
    await isKept(page, '# Mine');
    await page.route('**/api/share?*', (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await page.getByText('The service is busy. Try again later.').waitFor();
    await page.unroute('**/api/share?*');
    await context.clearCookies();
    await page.reload();
    await page.waitForURL(`${url}/login?next=/%3Fedit%3D${id}`);
    await signInAgain(context, url);
    await page.goto(`${url}/?edit=${id}`);
    await textIs(page, '# Mine');
  });

  it('is only offered if the share has changed since, and restores no options', async () => {
    const { page, own, change } = await openEdit(browser, { ...stored, password: null });
    await text(page).fill('# Mine');
    await title(page).fill('My title');
    await isKept(page, 'My title');
    await change({ content: '# Newer', title: 'Newer', password: 'Xyz789', viewLimit: 7 });
    for (const _ of ['at first', 'and whenever it is loaded anew']) {
      await page.reload();
      await page.getByText('This share changed after you wrote your draft.').waitFor();
      await textIs(page, '# Newer');
      await expect.poll(() => title(page).inputValue()).toBe('Newer');
    }
    await bringBack(page).click();
    await textIs(page, '# Mine');
    await expect.poll(() => title(page).inputValue()).toBe('My title');
    await expect.poll(() => bringBack(page).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Undo' }).click();
    await textIs(page, '# Newer');
    await text(page).fill('# Newest');
    await bringBack(page).click();
    await textIs(page, '# Mine');
    await expect.poll(() => views(page).inputValue()).toBe('7');
    await expect.poll(() => passwordMode(page).inputValue()).toBe('keep');
    await save(page).click();
    await saved(page);
    await expect
      .poll(() => own())
      .toMatchObject({
        content: '# Mine',
        title: 'My title',
        protected: true,
        viewLimit: 7,
      });
    await expect.poll(() => bringBack(page).isVisible()).toBe(false);
    await expect.poll(() => kept(page)).toBe('{}');
  });
});
