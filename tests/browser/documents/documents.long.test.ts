import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  ann,
  bob,
  button,
  choose,
  startDocuments,
  three,
  titles,
} from '../../support/pages/documents-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the documents page in a browser', () => {
  const start = (documents: Parameters<typeof startDocuments>[1]) =>
    startDocuments(browser, documents);

  it('pages through many, both ways', async () => {
    const many = Array.from({ length: 27 }, (_, at) => ({ title: `Note ${at + 1}` }));
    const { open } = await start(many);
    const { page } = await open(ann, '/documents', 390);
    await page.getByText('1–25 of 27').waitFor();
    await inspect(page, 'documents-phone');
    await button(page, 'Next').click();
    await page.getByText('26–27 of 27').waitFor();
    await expect.poll(() => titles(page)).toEqual(['Note 2', 'Note 1']);
    await page.reload();
    await page.getByText('26–27 of 27').waitFor();
    await button(page, 'Previous').click();
    await page.getByText('1–25 of 27').waitFor();
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
    await expect.poll(async () => (await list('', bob)).total).toBe(2);
    await page.route('**/api/documents?*', (route) => route.fulfill(fail));
    await page.getByRole('link', { name: 'All' }).click();
    await page.getByRole('main').getByText('It broke.').waitFor();
    await inspect(page, 'documents-failed');
    await page.unroute('**/api/documents?*');
    await page.getByRole('main').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('1–3 of 3').waitFor();
  });
});
