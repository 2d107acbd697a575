// Invitations without a script, and while registration is by invitation or closed.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { email, fillPasswords, invite, open, start } from '../flows/account-recovery.ts';

describe.skipIf(!hasBrowser)('the invitation and password reset pages', () => {
  it('set a password without a script', async () => {
    const { url, linkTo, token } = await start();
    await invite(url, token);
    const { page } = await open(await linkTo('/invite'), { javaScriptEnabled: false });
    await fillPasswords(page, 'first password');
    await page.waitForURL(`${url}/dashboard`);
  });

  it('register only invited users if an invitation is required', async () => {
    const { url, linkTo, token } = await start({ REGISTRATION: 'invite' });
    await invite(url, token);
    const invitation = await linkTo('/invite');
    const { page, complaints } = await open(`${url}/register`);
    await page.getByRole('heading', { name: 'Invitation required' }).waitFor();
    await inspect(page, 'register-by-invitation');
    await page.goto(invitation.replace('/invite?', '/register?'));
    const register = async (address: string) => {
      await page.getByLabel('Name').fill('Ann Example');
      await page.getByLabel('Email').fill(address);
      await page.getByLabel('Password', { exact: true }).fill('first password');
      await page.getByLabel('Confirm password').fill('first password');
      await page.getByRole('button', { name: 'Create account' }).click();
    };
    await register('eve@example.com');
    await page.getByText('This link is invalid or expired. Request a new one.').waitFor();
    await inspect(page, 'register-invited');
    await register(email);
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(`${url}/account`);
    await page.locator('.who').getByText('Ann Example').waitFor();
    await page.locator('.who').getByText(email).waitFor();
    expect(complaints).toEqual([]);
  });

  it('show that registration is closed', async () => {
    const { url } = await start({ REGISTRATION: 'closed' });
    const { page, complaints } = await open(`${url}/register`);
    await page.getByRole('heading', { name: 'Registration is closed' }).waitFor();
    await inspect(page, 'register-closed');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${url}/login`);
    await expect.poll(() => page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
