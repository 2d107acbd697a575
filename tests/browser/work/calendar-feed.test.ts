import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the calendar’s address in a browser', () => {
  it('is made, shown once, replaced and ended', async () => {
    const { open } = await startConsole(browser, [{ name: 'Ann', permissions: ['calendar:*'] }]);
    const { page } = await open('ann@example.com', '/calendar?open=feed');
    const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter');
    const address = page.getByLabel('Address', { exact: true });
    const statusOf = async (url: string) => (await page.request.get(url)).status();
    await press('Create address');
    const first = await address.inputValue();
    expect(await statusOf(first)).toBe(200);
    await page.reload();
    await page.getByText('You have an address since').waitFor();
    await expect.poll(() => address.count()).toBe(0);
    await press('Create new address');
    await page.getByRole('dialog', { name: 'Create a new address?' }).waitFor();
    await page.locator('dialog.modal').getByRole('button', { name: 'Create new address' }).click();
    await address.waitFor();
    const second = await address.inputValue();
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    await press('End address');
    await page.locator('dialog.modal').getByRole('button', { name: 'End address' }).click();
    await page.getByText('Feed address ended').waitFor();
    await page.getByRole('button', { name: 'Create address' }).waitFor();
    expect(await statusOf(second)).toBe(404);
  });
});
