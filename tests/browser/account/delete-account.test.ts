import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { phone, typePassword } from '../flows/second-step.ts';
import { register } from '../flows/sign-in.ts';

/** Starts a service with a user who has two shares, and opens the page of the account. */
const start = async (options: object) => {
  const { url } = await startFreshService();
  const { token } = (await register(url)).body as { token: string };
  for (const content of ['<p>One</p>', '<p>Two</p>']) {
    await send(`${url}/api/share`, { method: 'POST', token, body: { content } });
  }
  const context = await openContext(browser, options);
  const opened = await openPage(context, `${url}/login?next=/account?tab=security`);
  await typePassword(opened.page);
  await opened.page.waitForURL(`${url}/account?tab=security`);
  return { ...opened, url };
};

describe.skipIf(!hasBrowser)('deleting one’s own account', () => {
  it.each([
    ['on a desk', {}],
    ['on a phone', phone],
  ])(
    'takes the password, leads back to keep it, and keeps it, by keyboard %s',
    async (where, options) => {
      const { page, complaints, url } = await start(options);
      const card = page.getByRole('region', { name: 'Delete my account' });
      await card.getByText('Delete everything after 7 days').waitFor();
      await card.getByRole('button', { name: 'Delete my account' }).press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
      await dialog.getByText('2 shares stop at once.').waitFor();
      const field = dialog.getByLabel('Your password');
      await field.and(page.locator(':focus')).waitFor();
      await inspect(page, `account-delete ${where}`);
      await page.keyboard.press('Enter');
      await dialog.getByText('Enter your current password.').waitFor();
      await page.keyboard.type('wrong horse');
      await page.keyboard.press('Enter');
      await dialog.getByText('Is incorrect.').waitFor();
      await field.and(page.locator(':focus')).waitFor();
      await field.fill('correct horse');
      await page.keyboard.press('Enter');
      await page.waitForURL(`${url}/login?why=left`);
      await page.getByText('Sign in before then to keep it.').waitFor();

      await typePassword(page);
      await page.waitForURL(`${url}/leaving?next=/dashboard`);
      const heading = page.getByRole('heading', { name: 'Your account will be deleted on' });
      await heading.waitFor();
      await inspect(page, `leaving ${where}`);
      // No page of the console opens meanwhile.
      await page.goto(`${url}/shares`);
      expect(page.url()).toBe(`${url}/leaving?next=/shares`);
      await page.getByRole('button', { name: 'Keep it' }).press('Enter');
      await page.waitForURL(`${url}/shares`);
      await page.goto(`${url}/leaving`);
      expect(page.url()).toBe(`${url}/dashboard`);
      expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
    },
  );

  it('is called off by Esc, and lets its user sign out of what waits', async () => {
    const { page, url } = await start({});
    const button = page.getByRole('button', { name: 'Delete my account' });
    await button.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Your password').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    await button.and(page.locator(':focus')).waitFor();
    await button.press('Enter');
    await dialog.getByLabel('Your password').fill('correct horse');
    await dialog.getByRole('button', { name: 'Delete in 7 days' }).click();
    await page.waitForURL(`${url}/login?why=left`);
    await typePassword(page);
    await page.getByRole('button', { name: 'Sign out' }).press('Enter');
    await page.waitForURL(`${url}/login?why=out`);
    await page.locator('#login-email:focus').waitFor();
  });
});
