import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { exportAs } from './export-as.ts';

const start = () =>
  startConsole(browser, [
    { name: 'Ann', role: 'user', permissions: ['sales:view', 'sales:create'] },
    { name: 'Bob', role: 'guest' },
  ]);

const save = async (page: Page, format: string) => {
  const [saved] = await Promise.all([page.waitForEvent('download'), exportAs(page, format)]);
  return { name: saved.suggestedFilename(), text: await readFile(await saved.path(), 'utf8') };
};

describe.skipIf(!hasBrowser)('exports in a browser', () => {
  it('save what the page lists, by keyboard, too', async () => {
    const { open } = await start();
    const { page, complaints } = await open(root, '/users?role=guest');
    await page.getByRole('link', { name: 'Bob' }).waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).waitFor();
    await inspect(page, 'users-export');
    await page.keyboard.press('ArrowDown');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^users-\d{4}-\d\d-\d\d\.ndjson$/);
    const lines = (await readFile(await saved.path(), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).name)).toEqual(['Bob']);
    await page.getByText('The download begins').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are prepared by the service if the list is longer, by keyboard, too', async () => {
    const { open } = await start();
    const { page, complaints } = await open(root, '/users', { width: 1280, height: 900 });
    // As if there were more than a download has.
    await page.route('**/api/users?*', async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      await route.fulfill({ response, json: { ...body, data: { ...body.data, total: 123_456 } } });
    });
    await page.reload();
    await page.getByText('123,456').first().waitFor();
    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'NDJSON, for scripts' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Export all 123,456 rows' });
    await dialog.getByRole('button', { name: 'NDJSON', pressed: true }).waitFor();
    const isPrimary = "document.activeElement.textContent === 'Prepare file'";
    await expect.poll(() => page.evaluate(isPrimary)).toBe(true);
    await inspect(page, 'users-export-whole');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });

    await page.getByRole('button', { name: 'Export', exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: 'CSV, for spreadsheets' }).press('Enter');
    await page.route('**/api/users/export?*', (route) =>
      route.fulfill({
        status: 409,
        json: { error: { message: '5 of your exports are waiting.' } },
      }),
    );
    await dialog.getByRole('button', { name: 'NDJSON' }).press('Enter');
    await dialog.getByRole('button', { name: 'Prepare file' }).press('Enter');
    await dialog.getByText('5 of your exports are waiting.').waitFor();
    await page.unroute('**/api/users/export?*');
    await dialog.getByRole('button', { name: 'Prepare file' }).press('Enter');
    await page.getByText('We’re preparing your file.').waitFor();
    await dialog.waitFor({ state: 'hidden' });

    await exportAs(page, 'CSV');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'First 10,000 now' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^users-.*csv$/);
    expect(complaints).toEqual([]);
  });

  it('offer the whole of a list whose length is unknown, on a phone', async () => {
    const { open } = await start();
    const { page, complaints } = await open(root, '/audit', { width: 390, height: 664 });
    await exportAs(page, 'More than 10,000 rows…');
    const dialog = page.getByRole('dialog', { name: 'Export the whole list' });
    await inspect(page, 'audit-export-whole');
    await dialog.getByRole('button', { name: 'Prepare file' }).click();
    await page.getByText('We’re preparing your file.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('say why they are refused, and are offered only to who may', async () => {
    const { open, url } = await start();
    const { page } = await open(root, '/sales');
    await page.route('**/api/sales/export?*', (route) =>
      route.fulfill({ status: 429, json: { error: { message: 'Too many requests. Try again.' } } }),
    );
    await exportAs(page, 'CSV');
    await page.getByText('Too many requests. Try again.').waitFor();
    await page.unroute('**/api/sales/export?*');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Try again' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^sales-/);

    const { page: ofSeller } = await open('ann@example.com', '/sales');
    await ofSeller.getByRole('heading', { name: 'No sales yet' }).waitFor();
    await expect.poll(() => ofSeller.getByRole('button', { name: 'Export' }).count()).toBe(0);
    // Everyone’s own shares are theirs to take out.
    const context = ofSeller.context();
    const shared = await context.request.post(`${url}/api/share`, {
      data: { content: '# Hi', title: 'Plan' },
      headers: { origin: url },
    });
    expect(shared.status()).toBe(201);
    await ofSeller.goto(`${url}/shares?search=plan`);
    await ofSeller.getByRole('link', { name: 'Plan' }).waitFor();
    const { name, text } = await save(ofSeller, 'CSV');
    expect(name).toMatch(/^shares-/);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(text).toContain(',Plan,');
  });
});
