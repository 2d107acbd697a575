import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../support/pages/open-page.ts';
import { send, startProcess, temporaryFolder } from '../support/run/process.ts';

describe.skipIf(!hasBrowser)('the account pages in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  const start = async () => (await startProcess({ DATA_DIR: await temporaryFolder() })).url;

  const open = async (url: string) =>
    openPage(
      await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] }),
      url,
    );

  const register = (url: string, email = 'ann@example.com') =>
    send(`${url}/api/auth/register`, {
      method: 'POST',
      body: { email, name: 'Ann', password: 'correct horse', confirmPassword: 'correct horse' },
    });

  const signIn = async (page: Page, password = 'correct horse') => {
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('lead from registration through all account settings to signing in again', {
    timeout: 60_000,
  }, async () => {
    const url = await start();
    const { page, complaints, origins } = await open(`${url}/account`);
    await page.waitForURL(`${url}/login?next=/account`);
    await inspect(page, 'login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.waitForURL(`${url}/register?next=/account`);
    await inspect(page, 'register');
    await page.getByLabel('Name').fill('Ann <b>Example</b>');
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    await page.getByRole('button', { name: 'Show password' }).click();
    expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/account`);
    await page.getByText('Ann <b>Example</b>, ann@example.com').waitFor();
    await inspect(page, 'account');

    const profile = region(page, 'Profile');
    await profile.getByLabel('Name', { exact: true }).fill('Ann B. Example');
    await profile.getByLabel('Username').fill('ann.b');
    await profile.getByLabel('Phone').fill('+49 30 123456');
    await profile.getByLabel('Time zone').selectOption('Europe/Berlin');
    await profile.getByRole('button', { name: 'Save' }).click();
    await profile.getByText('Saved', { exact: true }).waitFor();

    const email = region(page, 'Email');
    await email.getByLabel('Email').fill('ann.b@example.com');
    await email.getByLabel('Current password').fill('correct horse');
    await email.getByRole('button', { name: 'Change' }).click();
    await email.getByText('Saved', { exact: true }).waitFor();
    await email.getByLabel('Email').fill('ann@example.com');
    await email.getByLabel('Current password').fill('correct horse');
    await email.getByRole('button', { name: 'Change' }).click();
    await page.getByText('Ann B. Example, ann@example.com').waitFor();

    await page.getByRole('button', { name: 'Check in' }).click();
    await page.getByText(/^\d\d points earned/).waitFor();
    await page.getByText('1 day in a row').waitFor();
    expect(await page.getByRole('button', { name: 'Checked in' }).isDisabled()).toBe(true);

    const tokens = region(page, 'API tokens');
    await tokens.getByLabel('Token name').fill('Nightly script');
    await tokens.getByLabel('Expires in (days)').fill('90');
    await tokens.getByRole('button', { name: 'Create token' }).click();
    await tokens.getByRole('button', { name: 'Copy' }).click();
    await tokens.getByText('Copied', { exact: true }).waitFor();
    await inspect(page, 'account-token');
    const token = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(token).toMatch(/^hb_/);
    const me = await send(`${url}/api/users/me`, { token });
    expect(me.body.data).toMatchObject({
      name: 'Ann B. Example',
      username: 'ann.b',
      phone: '+49 30 123456',
      timezone: 'Europe/Berlin',
    });

    const other = await open(`${url}/login?next=/account`);
    await signIn(other.page);
    await other.page.waitForURL(`${url}/account`);
    await page.reload();
    const sessions = region(page, 'Sessions');
    await sessions.getByText('Chrome on Linux').nth(1).waitFor();
    expect(await sessions.getByText('This device').count()).toBe(1);
    await inspect(page, 'account-used');
    await tokens.getByRole('button', { name: 'Revoke: Nightly script' }).click();
    await tokens.getByText('Token revoked').waitFor();
    expect((await send(`${url}/api/users/me`, { token })).status).toBe(401);
    await sessions.getByRole('button', { name: 'Sign out: Chrome on Linux' }).click();
    await sessions.getByText('1 session signed out').waitFor();
    expect(await sessions.getByRole('listitem').count()).toBe(1);
    await other.page.reload();
    await other.page.waitForURL(`${url}/login?next=/account`);

    const password = region(page, 'Password');
    await password.getByLabel('Current password').fill('correct horse');
    await password.getByLabel('New password').fill('battery staple');
    await password.getByLabel('Confirm password').fill('battery staple');
    await password.getByLabel('Also revoke all API tokens').check();
    await password.getByRole('button', { name: 'Change' }).click();
    await password
      .getByText('Password changed. All other sessions were signed out and all API tokens revoked.')
      .waitFor();
    await tokens.getByText('No API tokens yet.').waitFor();
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${url}/login`);
    await signIn(page);
    await page.getByText('Incorrect email or password.').waitFor();
    await inspect(page, 'login-wrong');
    await signIn(page, 'battery staple');
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(`${url}/account`);
    await page.getByText('Ann B. Example, ann@example.com').waitFor();

    expect([...complaints, ...other.complaints]).toEqual([]);
    expect([...origins, ...other.origins]).toEqual([url, url]);
  });

  it('show errors beside their fields and focus the first', { timeout: 40_000 }, async () => {
    const url = await start();
    await register(url);
    const { page, complaints } = await open(`${url}/login?next=/account`);
    const focused = () => page.evaluate('document.activeElement.id');
    await signIn(page);
    await page.waitForURL(`${url}/account`);
    const password = region(page, 'Password');
    await password.getByLabel('Current password').fill('wrong horse');
    await password.getByLabel('New password').fill('battery staple');
    await password.getByLabel('Confirm password').fill('battery staple');
    await password.getByRole('button', { name: 'Change' }).click();
    await password.getByText('Is incorrect.').waitFor();
    expect(await focused()).toBe('password-currentPassword');
    const profile = region(page, 'Profile');
    await profile.getByLabel('Username').fill('no spaces');
    await profile.getByLabel('Phone').fill('call me');
    await profile.getByRole('button', { name: 'Save' }).click();
    await profile.getByText('Must be a phone number.').waitFor();
    expect(await focused()).toBe('profile-username');
    const tokens = region(page, 'API tokens');
    await tokens.getByLabel('Permissions').fill('documents:view nonsense');
    await tokens.getByLabel('Expires in (days)').fill('0');
    await tokens.getByRole('button', { name: 'Create token' }).click();
    await tokens.getByText('Must be a permission,').waitFor();
    expect(await focused()).toBe('token-name');
    await inspect(page, 'account-wrong');
    expect(complaints).toEqual([]);
  });
});
