import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { button, chooseFile, demo, drawer, names, root, start } from '../flows/sales.ts';

describe.skipIf(!hasBrowser)('the sales page in a browser', () => {
  it('changes, refunds and deletes, and shows both versions of a conflict', async () => {
    const { open, list, api } = await start(demo);
    const { page, complaints } = await open(root);
    await page.getByRole('link', { name: 'Bob' }).click();
    const amount = drawer(page).getByLabel('Amount (EUR)');
    await expect.poll(() => amount.inputValue()).toBe('30.10');
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
    await button(page, 'Keep mine').click();
    await expect.poll(async () => (await list('&customer=Bob')).items[0].amount).toBe(33);

    // What is refunded is what was seen.
    const askForRefund = async (amount: string) => {
      const question = page.getByRole('dialog', { name: `Refund Bob, ${amount}?` });
      await question.waitFor();
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
    await expect.poll(async () => (await list('&customer=Bob')).items[0].refundedAt).not.toBeNull();
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer(page).count()).toBe(0);

    // It closes from its row beside it, too.
    await page.getByRole('link', { name: 'Bob' }).click();
    await drawer(page).waitFor();
    await button(page, 'Actions for Ann, €20.00').focus();
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
    await expect.poll(async () => (await list()).total).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('imports the right lines of a file, and a failed one again, without doubles', async () => {
    const { open, list } = await start();
    const { page, complaints } = await open(root);
    await page.locator('#import-sales').click();
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
    await expect
      .poll(async () => (await errors.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')))
      .toEqual([
        '5 Amount must be a decimal number such as 12.34 Now “12,345”',
        '6 Amount is required',
        '6 Sold at must be a day such as 2026-11-21, or a time such as 2026-11-21 14:30 Now “19/11/2026”',
      ]);
    await page.getByText('3 sales, €1,291.40 in all.').waitFor();
    await page.getByText('2 lines have errors and are left out.').waitFor();
    expect(requests).toBe(0);
    await button(page, 'Import 3 sales').click();
    await page.getByText('2 lines failed').waitFor();
    await page.getByText('1 sale recorded').waitFor();
    requests = 10;
    await button(page, 'Try again').click();
    await page.getByText('Import finished').waitFor();
    await page.getByText('2 sales recorded').waitFor();
    await page.getByText('1 already recorded before').waitFor();
    expect(most).toBeLessThanOrEqual(4);
    await expect
      .poll(async () => (await list()).items.map(({ amount }: { amount: number }) => amount))
      .toEqual([1_234.5, 49.9, 7]);

    // The whole file again: each line keeps its name.
    await button(page, 'Choose another file').click();
    await chooseFile(page, file);
    await button(page, 'Import 3 sales').click();
    await page.getByText('3 already recorded before').waitFor();
    await expect.poll(async () => (await list()).total).toBe(3);
    await button(page, 'Show sales').click();
    await expect.poll(() => names(page)).toEqual(['Walsh; E.', 'Ann', 'Bob']);
    expect(complaints).toEqual([]);
  });
});
