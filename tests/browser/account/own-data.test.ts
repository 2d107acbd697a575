import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const address = '/account?tab=security#your-data';

const views = [
  ['on a desk', { width: 1280, height: 900 }],
  ['on a phone', { width: 390, height: 664 }],
] as const;

const own = {
  id: 11,
  kind: 'own-data',
  format: 'zip',
  filter: null,
  status: 'ready',
  problem: null,
  requestedAt: '2026-11-22T12:00:00.000Z',
  readyAt: '2026-11-22T12:01:00.000Z',
  expiresAt: '2026-11-29T12:01:00.000Z',
  bytes: 1_048_576,
  rows: 120,
  leftOut: ['“film.mp4” is larger than the archive can have.'],
};

const sales = {
  ...own,
  id: 12,
  kind: 'sales',
  format: 'csv',
  filter: 'category=Books&sort=-soldAt',
  rows: 123_456,
  leftOut: [],
};

const unproven = {
  code: 'REAUTHENTICATION_REQUIRED',
  message: 'x',
  details: [{ field: 'currentPassword', message: 'is required' }],
};

/** Answers in place of the service, which prepares files in its own time. */
const answer = async (page: Page, all: readonly object[]) => {
  let shown = all;
  await page.route('**/api/users/me/exports', (route) =>
    route.fulfill({ json: { success: true, data: shown } }),
  );
  await page.reload();
  return (next: readonly object[]) => {
    shown = next;
  };
};

/** Shows what the service may have made meanwhile as waiting. */
const keepWaiting = (page: Page): Promise<unknown> =>
  page.route('**/api/users/me/exports', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const data = body.data.map((one: object) => ({ ...one, status: 'waiting' }));
    await route.fulfill({ response, json: { ...body, data } });
  });

const cardOf = (page: Page) => page.getByRole('region', { name: 'Your data' });

describe.skipIf(!hasBrowser)('one’s own data in a browser', () => {
  it.each(views)('is asked for and called off by keyboard %s', async (where, viewport) => {
    const { open } = await startConsole(browser, []);
    const { page, complaints } = await open(root, address, viewport);
    await keepWaiting(page);
    const card = cardOf(page);
    const title = card.getByRole('heading', { name: 'Your data' });
    await title.and(page.locator(':focus')).waitFor();
    await inspect(page, `own-data-none ${where}`);
    await card.getByRole('button', { name: 'Request download' }).press('Enter');
    await page.getByText('We’re preparing your data.').waitFor();
    await card.getByText('Preparing…').waitFor();
    await inspect(page, `own-data-waiting ${where}`);
    await card.getByRole('button', { name: 'Cancel: My data' }).press('Enter');
    await page.getByText('Canceled', { exact: true }).waitFor();
    await title.and(page.locator(':focus')).waitFor();
    await card.getByRole('button', { name: 'Request download' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(views)('is downloaded by who proves who they are %s', async (where, viewport) => {
    const { open, url } = await startConsole(browser, []);
    const { page } = await open(root, address, viewport);
    const change = await answer(page, [own, sales]);
    const card = cardOf(page);
    await card.getByText('Ready until November 29 · 120 files · 1 MB').waitFor();
    await card.getByText('category: Books · Ready until').waitFor();
    await card.getByText('1 thing isn’t included').press('Enter');
    await card.getByText('“film.mp4” is larger').waitFor();
    await inspect(page, `own-data-ready ${where}`);

    let isProven = false;
    await page.route('**/api/users/me/exports/11/download', (route) =>
      isProven
        ? route.fulfill({
            json: {
              success: true,
              data: { url: `${url}/api/sales/export`, expiresAt: own.expiresAt },
            },
          })
        : route.fulfill({ status: 403, json: { success: false, error: unproven } }),
    );
    await card.getByRole('button', { name: 'Download: My data' }).press('Enter');
    const proof = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await proof.getByLabel('Password').fill('correct horse');
    isProven = true;
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^sales-/);
    await page.getByText('The download begins').waitFor();

    await page.route('**/api/users/me/exports/12', (route) =>
      route.fulfill({ json: { success: true, data: { id: 12 } } }),
    );
    await card.getByRole('button', { name: 'Actions for Sales, CSV' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    const question = page.getByRole('dialog', { name: 'Delete “Sales, CSV”?' });
    change([own]);
    await question.getByRole('button', { name: 'Delete' }).press('Enter');
    await page.getByText('File deleted').waitFor();
    await expect.poll(() => card.getByText('Sales, CSV').count()).toBe(0);
  });

  it('says what became ready or failed while the page is open, and why', async () => {
    const { open } = await startConsole(browser, []);
    const { page } = await open(root, address);
    const waiting = { readyAt: null, expiresAt: null, bytes: null, rows: null };
    const change = await answer(page, [
      { ...own, ...waiting, status: 'running' },
      { ...sales, ...waiting, status: 'waiting' },
    ]);
    const card = cardOf(page);
    await card.getByText('category: Books · Preparing…').waitFor();
    const problem = 'Missing permission: sales:export.';
    change([own, { ...sales, ...waiting, status: 'failed', problem }]);
    await card.getByText(problem).waitFor();
    await expect
      .poll(() => card.getByRole('status').textContent())
      .toBe('My data is ready. Sales, CSV failed');
    await inspect(page, 'own-data-failed');
  });

  it('leads from a refusal to another try', async () => {
    const { open } = await startConsole(browser, []);
    const { page } = await open(root, address);
    const message = 'Your data can be exported once an hour. Try again in 12 minutes.';
    await page.route('**/api/users/me/export', (route) =>
      route.fulfill({ status: 429, json: { success: false, error: { message } } }),
    );
    await cardOf(page).getByRole('button', { name: 'Request download' }).click();
    await page.getByText(message).waitFor();
    await page.unroute('**/api/users/me/export');
    await page.getByRole('button', { name: 'Try again' }).click();
    await cardOf(page).getByText('Preparing…').waitFor();
  });
});
