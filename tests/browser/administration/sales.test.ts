import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

const password = 'correct horse';
const root = 'root@example.com';

describe.skipIf(!hasBrowser)('the sales page in a browser', () => {
  /** Starts a service with a super_admin, these users and these sales. */
  const start = async (
    sales: readonly Record<string, unknown>[] = [],
    users: readonly Record<string, unknown>[] = [],
  ) => {
    const { url } = await startFreshService();
    const api = async (method: string, path: string, body?: unknown) =>
      (await send(url + path, { method, token, ...(body !== undefined && { body }) })).body;
    const signedIn = await send(`${url}/api/auth/login`, {
      method: 'POST',
      body: { email: root, password },
    });
    const { token } = signedIn.body;
    for (const user of users) {
      const email = `${user['name']}@example.com`.toLowerCase();
      const made = await api('POST', '/api/users', { email, password, ...user });
      expect(made.success, JSON.stringify(made)).toBe(true);
    }
    for (const sale of sales) {
      const made = await api('POST', '/api/sales', sale);
      expect(made.success, JSON.stringify(made)).toBe(true);
    }
    const open = async (email: string, path = '/sales', width = 1440, timezoneId?: string) => {
      const context = await openContext(browser, {
        viewport: { width, height: 900 },
        ...(timezoneId !== undefined && { timezoneId }),
      });
      await context.request.post(`${url}/api/auth/login`, {
        data: { email, password },
        headers: { origin: url },
      });
      return { context, ...(await openPage(context, url + path)) };
    };
    const list = async (query = '') => (await api('GET', `/api/sales?pageSize=100${query}`)).data;
    return { api, open, list };
  };

  const names = (page: Page) => page.locator('#sales td.m b').allInnerTexts();
  const drawer = (page: Page) => page.locator('dialog.drawer[open]');
  const chooseFile = (page: Page, lines: readonly string[]) =>
    page.locator('#csv').setInputFiles({
      name: 'orders.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\r\n')),
    });
  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

  const demo = [
    { amount: '20', cost: '5', customer: 'Ann', category: 'Books', soldAt: '2026-11-01T10:00:00Z' },
    { amount: '30.10', customer: 'Bob', category: 'Prints', soldAt: '2026-11-02T10:00:00Z' },
    { amount: '40', customer: 'Ann', category: 'Prints', soldAt: '2026-10-03T10:00:00Z' },
  ];

  it('filters, sorts and sums up sales, all in the address', async () => {
    const { open } = await start(demo);
    const { page, complaints } = await open(root);
    await page.getByText('1–3 of 3').waitFor();
    expect(await names(page)).toEqual(['Bob', 'Ann', 'Ann']);
    const sums = page.getByRole('region', { name: 'Totals of all sales' });
    await sums.getByText('€90.10').waitFor();
    await sums.getByText('€85.10').waitFor();
    await inspect(page, 'sales');
    await page.getByLabel('Customer, exact name').fill('Ann');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Ann']);
    // What is summed up there are all sales, so it would be about others.
    expect(await sums.count()).toBe(0);
    await page.getByRole('columnheader', { name: 'Sold' }).getByRole('button').click();
    await expect.poll(() => page.url()).toContain('sort=-soldAt');
    await expect
      .poll(() => page.locator('#sales tbody tr').first().innerText())
      .toContain('€40.00');
    await page.getByLabel('Category', { exact: true }).fill('Prints');
    await page.getByLabel('Category', { exact: true }).press('Enter');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Bob']);
    expect(await page.getByLabel('Customer, exact name').inputValue()).toBe('');
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Ann', 'Bob']);
    await page.getByLabel('From').fill('2026-11-02');
    await expect.poll(() => names(page)).toEqual(['Bob']);
    await page.getByLabel('To', { exact: true }).fill('2026-11-01');
    await expect.poll(() => names(page)).toEqual(['Ann', 'Ann']);
    expect(await page.getByLabel('From').inputValue()).toBe('');
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
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H2');
    await tabTo('Amount (EUR)');
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
    expect((await shown())[0]).not.toContain(':');
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

  it('changes, refunds and deletes, and shows both versions of a conflict', async () => {
    const { open, list, api } = await start(demo);
    const { page, complaints } = await open(root);
    await page.getByRole('link', { name: 'Bob' }).click();
    const amount = drawer(page).getByLabel('Amount (EUR)');
    expect(await amount.inputValue()).toBe('30.10');
    await amount.fill('31.5');
    await button(page, 'Save changes').click();
    await page.getByText('Sale saved').waitFor();
    const [bob] = (await list('&customer=Bob')).items;
    expect(bob).toMatchObject({ amount: 31.5, cost: 0, soldAt: '2026-11-02T10:00:00.000Z' });

    // Someone else is faster.
    await api('PUT', `/api/sales/${bob.id}`, { amount: 32 });
    await amount.fill('33');
    await button(page, 'Save changes').click();
    await page.getByText('Amount: yours is “33”, theirs is “32.00”.').waitFor();
    await inspect(page, 'sales-conflict');
    await button(page, 'Keep mine').click();
    await expect.poll(async () => (await list('&customer=Bob')).items[0].amount).toBe(33);

    // What is refunded is what was seen.
    const askForRefund = async (amount: string) => {
      const question = page.getByRole('dialog', { name: `Refund Bob, ${amount}?` });
      await question.waitFor();
      await inspect(page, 'sales-refund');
      await question.getByRole('button', { name: 'Refund' }).click();
    };
    await api('PUT', `/api/sales/${bob.id}`, { amount: 34 });
    await drawer(page).getByRole('button', { name: 'Sale', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Refund' }).click();
    await askForRefund('€33.00');
    await page.getByText(/Someone changed this sale/).waitFor();
    await drawer(page).getByText('Bob, €34.00').waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await askForRefund('€34.00');
    await page.getByText('Sale refunded').waitFor();
    await drawer(page)
      .getByText(/It counts in no total/)
      .waitFor();
    await page.getByText('€60.00').waitFor();
    expect((await list('&customer=Bob')).items[0].refundedAt).not.toBeNull();
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer(page).count()).toBe(0);

    // A sale that someone has changed meanwhile is not deleted unseen.
    const [ann] = (await list('&customer=Ann')).items;
    await api('PUT', `/api/sales/${ann.id}`, { amount: 21 });
    await button(page, 'Actions for Ann, €20.00').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete Ann, €20.00?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText(/Someone changed this sale/).waitFor();
    await page.getByRole('cell', { name: '€21.00', exact: true }).waitFor();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Sale deleted').waitFor();
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete 2 sales?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByText('2 sales deleted').waitFor();
    expect((await list()).total).toBe(0);
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
    expect(await page.locator('#new-sale, #import-sales').count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('link', { name: 'Bob' }).click();
    await drawer(page).getByText('You can’t change this sale.').waitFor();
    expect(await drawer(page).getByLabel('Amount (EUR)').isDisabled()).toBe(true);
    await page.goto(page.url().replace(/\?.*/, '?new=sale'));
    await page.getByText('1–3 of 3').waitFor();
    expect(await drawer(page).count()).toBe(0);

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

  it('imports the right lines of a file, and a failed one again, without doubles', async () => {
    const { open, list } = await start();
    const { page, complaints } = await open(root);
    await page.locator('#import-sales').click();
    await inspect(page, 'sales-import');
    await chooseFile(page, ['Date;Amount', '2026-11-20;1']);
    await page.getByText('Choose the column of Sold at.').waitFor();
    await page.getByLabel('Sold at').selectOption('Date');
    await button(page, 'Import 1 sale').waitFor();
    await button(page, 'Choose another file').click();
    await chooseFile(page, ['amount,soldAt']);
    await page.getByText(/The file has no sales/).waitFor();

    const file = [
      '\ufeffSold at;Amount;Customer;External ID',
      '2026-11-20;49,90;Ann;',
      '2026-11-20 14:30;1.234,50;"Walsh; E.";order-2',
      '2026-11-19T10:00:00Z;7;Bob;',
      '2026-11-19;12,345;Cem;order-4',
      '19/11/2026;;Dan;order-5',
    ];
    let requests = 0;
    let [running, most] = [0, 0];
    await page.route('**/api/sales', async (route) => {
      requests += 1;
      running += 1;
      most = Math.max(most, running);
      const isBob = route.request().postData()?.includes('Bob') ?? false;
      const json = { success: false, error: { code: 'INTERNAL_ERROR', message: 'It broke.' } };
      // The first sale is recorded, but its response is lost.
      if (isBob && requests < 10) await route.fulfill({ status: 500, json });
      else if (route.request().postData()?.includes('Ann') && requests < 4) {
        await route.fetch();
        await route.fulfill({ status: 500, json });
      } else await route.continue();
      running -= 1;
    });
    await chooseFile(page, file);
    const errors = page.locator('.problems tbody tr');
    await expect.poll(() => errors.count()).toBe(3);
    expect((await errors.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      '5 Amount must be a decimal number such as 12.34 Now “12,345”',
      '6 Amount is required',
      '6 Sold at must be a day such as 2026-11-21, or a time such as 2026-11-21 14:30 Now “19/11/2026”',
    ]);
    await page.getByText('3 sales, €1,291.40 in all.').waitFor();
    await page.getByText('2 lines have errors and are left out.').waitFor();
    await inspect(page, 'sales-import-errors');
    expect(requests).toBe(0);
    await button(page, 'Import 3 sales').click();
    await page.getByText('2 lines failed').waitFor();
    await page.getByText('1 sale recorded').waitFor();
    await inspect(page, 'sales-import-failed');
    requests = 10;
    await button(page, 'Try again').click();
    await page.getByText('Import finished').waitFor();
    await page.getByText('2 sales recorded').waitFor();
    await page.getByText('1 already recorded before').waitFor();
    expect(most).toBeLessThanOrEqual(4);
    expect((await list()).items.map(({ amount }: { amount: number }) => amount)).toEqual([
      1_234.5, 49.9, 7,
    ]);

    // The whole file again: each line keeps its name.
    await button(page, 'Choose another file').click();
    await chooseFile(page, file);
    await button(page, 'Import 3 sales').click();
    await page.getByText('3 already recorded before').waitFor();
    expect((await list()).total).toBe(3);
    await button(page, 'Show sales').click();
    await expect.poll(() => names(page)).toEqual(['Walsh; E.', 'Ann', 'Bob']);
    expect(complaints).toEqual([]);
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
    expect((await list()).total).toBe(12);
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
    expect(await drawer(page).getByLabel('Amount (EUR)').inputValue()).toBe('12.34');
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
    expect((await list()).total).toBe(1);
    await page.getByText('€12.34').first().waitFor();
  });
});
