import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { register, signIn } from '../flows/sign-in.ts';

describe.skipIf(!hasBrowser)('the account pages in a browser', () => {
  const start = async () => (await startFreshService()).url;

  const open = async (url: string) =>
    openPage(
      await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] }),
      url,
    );

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('show errors beside their fields and focus the first', async () => {
    const url = await start();
    await register(url);
    const { page, complaints } = await open(`${url}/login?next=/account`);
    const focused = () => page.evaluate('document.activeElement.name');
    await signIn(page);
    await page.waitForURL(`${url}/account`);
    const profile = region(page, 'Profile');
    await profile.getByLabel('Username').fill('no spaces');
    await profile.getByLabel('Phone').fill('call me');
    await profile.getByRole('button', { name: 'Save' }).click();
    await profile.getByText('Must be a phone number.').waitFor();
    await expect.poll(focused).toBe('username');
    await inspect(page, 'account-wrong');
    await page.goto(`${url}/account?tab=security`);
    await page.getByRole('button', { name: 'Change password' }).click();
    const password = page.getByRole('dialog', { name: 'Change password' });
    await password.getByLabel('Current password').fill('wrong horse');
    await password.getByLabel('New password').fill('battery staple');
    await password.getByLabel('Confirm password').fill('battery staples');
    await password.getByRole('button', { name: 'Change' }).click();
    await password.getByText('The passwords don’t match.').waitFor();
    await password.getByLabel('Confirm password').fill('battery staple');
    await password.getByRole('button', { name: 'Change' }).click();
    await password.getByText('Is incorrect.').waitFor();
    await expect.poll(focused).toBe('currentPassword');
    await page.goto(`${url}/account?tab=tokens&new`);
    const drawer = page.getByRole('dialog', { name: 'Create token' });
    await drawer.getByLabel('Expiration').selectOption('Custom');
    await drawer.getByLabel('Expires in (days)').fill('0');
    await drawer.getByRole('button', { name: 'Create token' }).click();
    await drawer.getByText('Enter a number from 1 to 3650.').waitFor();
    await expect.poll(focused).toBe('name');
    await inspect(page, 'account-token-wrong');
    expect(complaints).toEqual([]);
  });
});
