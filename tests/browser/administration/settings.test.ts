import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the settings in a browser', { timeout: 120_000 }, () => {
  it('shows the health, today and the configuration, and sends a test email', async () => {
    const { open } = await startConsole(browser, []);
    const { page, complaints } = await open(root, '/settings');
    const badge = (part: string) => page.locator(`#part-${part} .badge`).innerText();
    await page.getByText('0 waiting, 0 running, 0 due later').waitFor();
    expect([await badge('table'), await badge('bucket'), await badge('queue')]).toEqual([
      'Works',
      'Works',
      'Works',
    ]);
    const row = (name: string) => page.getByRole('row', { name }).locator('td').allInnerTexts();
    expect(await row('Registration')).toEqual(['Anyone can register', 'REGISTRATION']);
    expect(await row('Stage')).toEqual(['local', 'stage']);
    expect(await row('Unused sessions last')).toEqual(['7 days', 'JWT_REFRESH_EXPIRES']);
    await inspect(page, 'settings');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText(`Test email sent to ${root}`).waitFor();
    expect(complaints).toEqual([]);
  });

  it('says what fails, and checks again', async () => {
    const { open } = await startConsole(browser, []);
    const { page } = await open(root, '/settings');
    await page.getByText('0 waiting, 0 running, 0 due later').waitFor();
    await page.route('**/api/settings/**', (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'Busy. Try again.' } } }),
    );
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.locator('.toast').getByText('Busy. Try again.').waitFor();
    await page.getByRole('button', { name: 'Check again' }).click();
    await page.locator('#settings').getByText('Busy. Try again.').waitFor();
    await page.unroute('**/api/settings/**');
    await page.getByRole('button', { name: 'Check again' }).click();
    await expect
      .poll(() => page.locator('#settings').getByText('Busy. Try again.').count())
      .toBe(0);
  });

  it('is for users with its permission', async () => {
    const { open } = await startConsole(browser, [
      { name: 'Vera', role: 'guest', permissions: ['settings:view'] },
      { name: 'Ada', role: 'admin' },
    ]);
    const { page } = await open('vera@example.com', '/settings', { width: 390, height: 844 });
    await page.getByText('0 waiting').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await inspect(page, 'settings-phone');
    const { page: denied } = await open('ada@example.com', '/settings');
    await denied.getByRole('heading', { name: 'No access' }).waitFor();
  });
});
