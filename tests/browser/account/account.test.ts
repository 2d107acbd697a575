import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { signIn } from '../flows/sign-in.ts';

describe.skipIf(!hasBrowser)('the account pages in a browser', () => {
  const start = async () => (await startFreshService()).url;

  const open = async (url: string) =>
    openPage(
      await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] }),
      url,
    );

  const openTab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Parts of your account' }).getByText(name).click();

  const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('lead from registration through all account settings to signing in again', async () => {
    const url = await start();
    const { page, complaints, origins } = await open(`${url}/account`);
    await page.waitForURL(`${url}/login?next=/account`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.waitForURL(`${url}/register?next=/account`);
    await page.getByLabel('Name').fill('Ann <b>Example</b>');
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    await page.getByRole('button', { name: 'Show password' }).click();
    await expect
      .poll(() => page.getByLabel('Password', { exact: true }).getAttribute('type'))
      .toBe('text');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/account`);
    const who = page.locator('.who');
    await who.getByText('Ann <b>Example</b>').waitFor();

    const profile = region(page, 'Profile');
    await profile.getByLabel('Name', { exact: true }).fill('Ann B. Example');
    await profile.getByLabel('Username').fill('ann.b');
    await profile.getByLabel('Phone').fill('+49 30 123456');
    await profile.getByLabel('Time zone').selectOption('Europe/Berlin');
    await profile.getByRole('button', { name: 'Save profile' }).click();
    await page.getByText('Profile saved').waitFor();
    await page.locator('.me').getByText('Ann B. Example').waitFor();

    await openTab(page, 'Security');
    const ways = region(page, 'Sign-in');
    await ways.getByText('Not verified').waitFor();
    await ways.getByRole('button', { name: 'Change email' }).click();
    const email = page.getByRole('dialog', { name: 'Change email' });
    await email.getByLabel('New email').and(page.locator(':focus')).waitFor();
    await email.getByLabel('New email').fill('ann.b@example.com');
    await email.getByLabel('Current password').fill('correct horse');
    await email.getByRole('button', { name: 'Change email' }).click();
    await page.getByText('Link sent to ann.b@example.com').waitFor();
    await ways.getByText('waits for a click in that mailbox').waitFor();
    await who.getByText('ann@example.com').waitFor();
    await inspect(page, 'account-email-waits');
    await ways.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Email change canceled').waitFor();
    await expect.poll(() => ways.getByText('waits for a click').count()).toBe(0);

    await openTab(page, 'Check-in');
    const checkIn = region(page, 'Check-in');
    await checkIn.getByText('0 days').waitFor();
    await checkIn.getByRole('button', { name: 'Check in' }).click();
    await page.getByText(/^\d\d points earned/).waitFor();
    await checkIn.getByText('1 day', { exact: true }).waitFor();
    await page.locator('td.on [aria-current=date]').waitFor();
    // The sidebar shows the same.
    await page.getByText('1 day in a row').waitFor();
    for (const button of await page.getByRole('button', { name: 'Checked in' }).all()) {
      await expect.poll(() => button.isDisabled()).toBe(true);
    }

    await openTab(page, 'API tokens');
    await page.getByText('No API tokens yet').waitFor();
    await page.getByRole('link', { name: 'Create token' }).click();
    await page.waitForURL(`${url}/account?tab=tokens&new`);
    const drawer = page.getByRole('dialog', { name: 'Create token' });
    await drawer.getByLabel('Token name').and(page.locator(':focus')).waitFor();
    await drawer.getByLabel('Token name').fill('Nightly script');
    await expect.poll(() => drawer.getByLabel('Publish only').isChecked()).toBe(true);
    await expect.poll(() => drawer.getByLabel('Days').inputValue()).toBe('7');
    await drawer.getByText('All permissions').click();
    await expect.poll(() => drawer.getByLabel('Documents: view').isEnabled()).toBe(true);
    // What the user lacks can't be chosen, and says why.
    await expect.poll(() => drawer.getByLabel('Sales: view').isDisabled()).toBe(true);
    await drawer.getByText('You can only choose permissions you have.').waitFor();
    await drawer.getByLabel('Shares: create').uncheck();
    await drawer.getByLabel('Shares: edit').uncheck();
    await drawer.getByRole('button', { name: 'Create token' }).click({ force: true });
    await expect.poll(() => drawer.isVisible()).toBe(true);
    await drawer.getByLabel('Documents: view').check();
    await drawer.getByLabel('Profile: view').check();
    await drawer.getByRole('button', { name: 'Create token' }).click();
    await page.waitForURL(`${url}/account?tab=tokens`);
    const secret = page.getByLabel('Copy your new token now.');
    await secret.waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('copy-token');
    await page.getByRole('button', { name: 'Copy token' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
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
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.getByRole('button', { name: 'I’ve copied it' }).click();
    await expect.poll(focused).toBe('API tokens');
    await expect.poll(() => secret.count()).toBe(0);
    const tokens = region(page, 'API tokens');
    await tokens.getByText('Read your profile and documents', { exact: true }).waitFor();

    const other = await open(`${url}/login?next=/account`);
    await signIn(other.page);
    await other.page.waitForURL(`${url}/account`);
    await openTab(page, 'Security');
    const sessions = region(page, 'Sessions');
    await sessions.getByText('Chrome on Linux').nth(1).waitFor();
    await expect.poll(() => sessions.getByText('This device').count()).toBe(1);
    await page.goBack();
    await tokens.getByRole('button', { name: 'Revoke: Nightly script' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke “Nightly script”?' });
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('“Nightly script” revoked').waitFor();
    expect((await send(`${url}/api/users/me`, { token })).status).toBe(401);
    await expect.poll(focused).toBe('API tokens');
    await page.goForward();
    await sessions.getByRole('button', { name: 'Sign out: Chrome on Linux' }).click();
    await page.getByText('1 session signed out').waitFor();
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1);
    await expect.poll(focused).toBe('Sessions');
    await other.page.reload();
    await other.page.waitForURL(`${url}/login?next=/account`);

    await signIn(other.page);
    await other.page.waitForURL(`${url}/account`);
    await page.reload();
    await sessions.getByRole('button', { name: 'Sign out all others' }).click();
    const endOthers = page.getByRole('dialog', { name: 'Sign out 1 other session?' });
    await endOthers.waitFor();
    await endOthers.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('1 session signed out').waitFor();
    await expect.poll(() => sessions.getByRole('button', { name: 'all others' }).count()).toBe(0);

    await ways.getByRole('button', { name: 'Change password' }).click();
    const password = page.getByRole('dialog', { name: 'Change password' });
    await password.getByLabel('Current password').fill('correct horse');
    await password.getByLabel('New password').fill('battery staple');
    await password.getByLabel('Confirm password').fill('battery staple');
    await password.getByLabel('Also revoke all API tokens').check();
    await password.getByRole('button', { name: 'Change password' }).click();
    await page
      .getByText('Password changed. All other sessions were signed out and all API tokens revoked.')
      .waitFor();
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(`${url}/login?why=out`);
    await signIn(page);
    await page.getByText('Incorrect email or password.').waitFor();
    await signIn(page, 'battery staple');
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(`${url}/account`);
    await who.getByText('Ann B. Example').waitFor();

    expect([...complaints, ...other.complaints]).toEqual([]);
    expect([...origins, ...other.origins]).toEqual([url, url]);
  });
});
