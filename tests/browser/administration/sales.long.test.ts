import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { button, chooseFile, demo, drawer, names, root, start } from '../flows/sales.ts';

describe.skipIf(!hasBrowser)('the sales page in a browser', () => {
  it('filters, sorts and sums up sales, all in the address', async () => {
    const { open } = await start(demo);
    const { page, complaints } = await open(root);
    await page.getByText('1–3 of 3').waitFor();
    await expect.poll(() => names(page)).toEqual(['Bob', 'Ann', 'Ann']);
    const sums = page.getByRole('region', { name: 'Totals of all sales' });
    await sums.getByText('€90.10').waitFor();
    await sums.getByText('€85.10').waitFor();
    await inspect(page, 'sales');
    await page.getByLabel('Customer, exact name').fill('Ann');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Ann']);
    // What is summed up there are all sales, so it would be about others.
    await expect.poll(() => sums.count()).toBe(0);
    await page.getByRole('columnheader', { name: 'Sold' }).getByRole('button').click();
    await expect.poll(() => page.url()).toContain('sort=-soldAt');
    await expect
      .poll(() => page.locator('#sales tbody tr').first().innerText())
      .toContain('€40.00');
    await page.getByLabel('Category', { exact: true }).fill('Prints');
    await page.getByLabel('Category', { exact: true }).press('Enter');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Bob']);
    await expect.poll(() => page.getByLabel('Customer, exact name').inputValue()).toBe('');
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Ann', 'Bob']);
    await page.getByLabel('From').fill('2026-11-02');
    await expect.poll(() => names(page)).toEqual(['Bob']);
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Ann']);
    await expect.poll(() => page.getByLabel('From').inputValue()).toBe('');
    await page.getByLabel('Customer, exact name').fill('nobody');
    await page.getByText('No sales match your filter.').waitFor();
    await button(page, 'Clear filters').click();
    await expect.poll(async () => (await names(page)).length).toBe(3);
    await button(page, 'Actions for Bob, €30.10').click();
    await page.getByRole('menuitem', { name: 'Sales in this category' }).click();
    await expect.poll(() => names(page)).toEqual(['Ann', 'Bob']);
    expect(complaints).toEqual([]);
  });

  it('records a sale by keyboard alone', async () => {
    const { open, list } = await start();
    const { page, complaints } = await open(root);
    await page.getByRole('heading', { name: 'No sales yet' }).waitFor();
    await inspect(page, 'sales-empty');
    const tabTo = async (label: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press('Tab');
        const isThere = await page.evaluate(
          `document.activeElement.labels?.[0]?.textContent === '${label}' || document.activeElement.id === '${label}'`,
        );
        if (isThere) return;
      }
      throw new Error(`Tab doesn’t reach ${label}`);
    };
    await tabTo('new-sale');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('amount');
    await page.keyboard.type('1,234');
    await page.keyboard.press('Enter');
    await page.getByText('Must be a decimal number such as 12.34.').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('amount');
    await inspect(page, 'sales-new');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('1.234,50');
    await tabTo('Cost (EUR)');
    await page.keyboard.type('300');
    await tabTo('Customer');
    await page.keyboard.type('Walsh, E.');
    await tabTo('Category');
    await page.keyboard.type('Prints');
    await page.keyboard.press('Enter');
    await page.getByText('Sale recorded').waitFor();
    await expect.poll(() => names(page)).toEqual(['Walsh, E.']);
    await page.getByRole('region', { name: 'Totals of all sales' }).getByText('€934.50').waitFor();
    const { items } = await list();
    expect(items).toMatchObject([
      { amount: 1_234.5, cost: 300, customer: 'Walsh, E.', category: 'Prints' },
    ]);
    expect(Date.now() - Date.parse(items[0].soldAt)).toBeLessThan(120_000);
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('new-sale');
    expect(complaints).toEqual([]);
  });

  it('shows a day as that day in every time zone, until it gets a time', async () => {
    const { open, list } = await start([{ amount: '7', customer: 'Dot', soldAt: '2026-11-01' }]);
    const { page, complaints } = await open(root, '/sales', 1440, 'America/New_York');
    const shown = () => page.locator('#sales tbody tr').allInnerTexts();
    await expect.poll(async () => (await shown())[0]).toMatch(/Dot[\s\S]*(1 Nov|Nov 1, )2026/);
    await expect.poll(async () => (await shown())[0]).not.toContain(':');
    await page.getByLabel('From').fill('2026-11-01');
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await expect.poll(() => names(page)).toEqual(['Dot']);
    await page.getByRole('link', { name: 'Dot' }).click();
    await drawer(page)
      .getByText(/^Sold (1 Nov|Nov 1,) 2026$/)
      .waitFor();
    const [day, time] = [drawer(page).getByLabel('Sold on'), drawer(page).getByLabel('Time')];
    expect([await day.inputValue(), await time.inputValue()]).toEqual(['2026-11-01', '']);
    await inspect(page, 'sales-day');
    await drawer(page).getByLabel('Amount (EUR)').fill('8');
    await button(page, 'Save changes').click();
    const sold = async () => (await list()).items[0];
    await expect.poll(async () => (await sold()).amount).toBe(8);
    expect(await sold()).toMatchObject({ day: '2026-11-01', soldAt: '2026-11-01T00:00:00.000Z' });
    await time.fill('20:15');
    await button(page, 'Save changes').click();
    await expect.poll(async () => (await sold()).day).toBe(null);
    expect((await sold()).soldAt).toBe('2026-11-02T01:15:00.000Z');
    await day.fill('');
    await button(page, 'Save changes').click();
    await page.getByText('Is required.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('offers what the user may do, and is closed to others', async () => {
    const { open } = await start(demo, [
      { name: 'Vera', role: 'guest', permissions: ['sales:view'] },
      { name: 'Cleo', role: 'guest', permissions: ['sales:view', 'sales:create'] },
      { name: 'Gus', role: 'guest' },
    ]);
    const menuOf = async (page: Page) => {
      await button(page, 'Actions for Bob, €30.10').click();
      await page.getByRole('menuitem').first().waitFor();
      const items = await page.getByRole('menuitem').allInnerTexts();
      await page.keyboard.press('Escape');
      return items;
    };
    const views = ['Open', 'Sales to this customer', 'Sales in this category'];
    const { page } = await open('vera@example.com');
    expect(await menuOf(page)).toEqual(views);
    await expect.poll(() => page.locator('#new-sale, #import-sales').count()).toBe(0);
    await expect.poll(() => page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('link', { name: 'Bob' }).click();
    await drawer(page).getByText('You can’t change this sale.').waitFor();
    await expect.poll(() => drawer(page).getByLabel('Amount (EUR)').isDisabled()).toBe(true);
    await page.goto(page.url().replace(/\?.*/, '?new=sale'));
    await page.getByText('1–3 of 3').waitFor();
    await expect.poll(() => drawer(page).count()).toBe(0);

    const { page: creator } = await open('cleo@example.com');
    expect(await menuOf(creator)).toEqual(views);
    await creator.locator('#new-sale').click();
    await drawer(creator).getByLabel('Amount (EUR)').fill('5');
    await button(creator, 'Record sale').click();
    await creator.getByText('Sale recorded').waitFor();
    await creator.getByText('1–4 of 4').waitFor();

    const { page: closed } = await open('gus@example.com');
    await closed.getByRole('heading', { name: 'No access' }).waitFor();
  });

  it('stops an import, warns who leaves meanwhile, and goes on', async () => {
    const { open, list } = await start();
    const { page, context } = await open(root, '/sales?import=csv', 390);
    const held: (() => void)[] = [];
    await page.route('**/api/sales', async (route) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await route.continue();
    });
    const release = () => {
      for (const resolve of held.splice(0)) resolve();
    };
    const lines = Array.from({ length: 12 }, (_, at) => `${at + 1},2026-11-20`);
    await chooseFile(page, ['amount,soldAt', ...lines]);
    await button(page, 'Import 12 sales').click();
    await expect.poll(() => held.length).toBe(4);
    await page.getByText('Importing 0 of 12').waitFor();
    const questions: string[] = [];
    page.removeAllListeners('dialog');
    page.once('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    await page.evaluate('location.assign("/shares")');
    await expect.poll(() => questions).toEqual(['beforeunload']);
    await button(page, 'Back to sales').click();
    await page.getByText('Importing 0 of 12').waitFor();
    await button(page, 'Show import').click();
    await button(page, 'Stop').click();
    release();
    await page.getByText('Stopped. 8 sales left.').waitFor();
    await page.getByText('4 sales recorded').waitFor();
    await inspect(page, 'sales-import-stopped');

    // Without a connection, the rest waits.
    await page.unroute('**/api/sales');
    await context.setOffline(true);
    await button(page, 'Continue').click();
    await page.getByText('Stopped. 8 sales left.').waitFor();
    await page
      .getByRole('main')
      .getByText(/Can’t reach the server/)
      .waitFor();
    await context.setOffline(false);
    await button(page, 'Continue').click();
    await page.getByText('12 sales recorded').waitFor();
    await expect.poll(async () => (await list()).total).toBe(12);
  });

  it('keeps what was typed without a connection, and records it once', async () => {
    const { open, list } = await start();
    const { page, context } = await open(root, '/sales?new=sale', 390);
    await drawer(page).getByLabel('Amount (EUR)').fill('12.34');
    await context.setOffline(true);
    await button(page, 'Record sale').click();
    await drawer(page)
      .getByText(/Can’t reach the server/)
      .waitFor();
    await expect.poll(() => drawer(page).getByLabel('Amount (EUR)').inputValue()).toBe('12.34');
    await context.setOffline(false);
    let isLost = false;
    await page.route('**/api/sales', async (route) => {
      if (isLost || route.request().method() !== 'POST') return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort();
    });
    await button(page, 'Record sale').click();
    await page.getByText('Sale recorded').waitFor();
    expect(isLost).toBe(true);
    await expect.poll(async () => (await list()).total).toBe(1);
    await page.getByText('€12.34').first().waitFor();
  });
});
