import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { send, startProcess, temporaryFolder } from '../support/run/process.ts';

const admin = { email: 'admin@example.com', password: 'correct horse' };
const email = 'ann@example.com';

describe.skipIf(!hasBrowser)('the invitation and password reset pages', () => {
  const start = async (settings: Record<string, string> = {}) => {
    const { url, output } = await startProcess({
      DATA_DIR: await temporaryFolder(),
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...settings,
    });
    const mailUrl = output().match(/Email +(http:\/\/\S+)/)?.[1] ?? '';
    const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
    return { url, mailUrl, token: body.token as string };
  };

  /** Waits for this many emails and returns the link of the newest. */
  const linkOfMail = (mailUrl: string, count: number): Promise<string> =>
    vi.waitFor(
      async () => {
        const { body } = await send(`${mailUrl}/store`);
        expect(body.emails).toHaveLength(count);
        return body.emails.at(-1).body.text.match(/http:\S+/)[0];
      },
      { timeout: 60_000 },
    );

  /** Opens a page and records the referrers that the browser sends. */
  const open = async (url: string, options = {}) => {
    const opened = await openPage(await openContext(browser, options), url);
    const referrers: string[] = [];
    opened.page.on('request', (request) => {
      const { referer } = request.headers();
      if (referer !== undefined) referrers.push(referer);
    });
    return { ...opened, referrers };
  };

  const fillPasswords = async (page: Page, password: string, again = password) => {
    await page.getByLabel('New password').fill(password);
    await page.getByLabel('Confirm password').fill(again);
    await page.getByRole('button', { name: 'Set password' }).click();
  };

  const signIn = async (page: Page, password: string) => {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  const invite = (url: string, token: string) =>
    send(`${url}/api/users`, { method: 'POST', token, body: { email, name: 'Ann' } });

  it('lead from an invitation to a password, and from a forgotten one to a new one', async () => {
    const { url, mailUrl, token } = await start();
    expect((await invite(url, token)).status).toBe(201);
    const invitation = await linkOfMail(mailUrl, 1);
    // The form works without a script.
    const { page, complaints, origins, referrers } = await open(invitation);
    await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
    expect(await page.getByText(email).isVisible()).toBe(true);
    await inspect(page, 'invite');
    await fillPasswords(page, 'first password', 'another one');
    await page.getByText('The passwords don’t match.').waitFor();
    await inspect(page, 'invite-wrong');
    await fillPasswords(page, 'first password');
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
    await inspect(page, 'password-set');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.waitForURL(`${url}/login`);
    await signIn(page, 'first password');
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(invitation);
    await page.getByRole('heading', { name: 'This link is invalid or expired' }).waitFor();
    await inspect(page, 'invite-used');

    const other = await open(`${url}/login`);
    await other.page.getByRole('link', { name: 'Forgot password?' }).click();
    await other.page.waitForURL(`${url}/forgot`);
    await inspect(other.page, 'forgot');
    await other.page.getByRole('button', { name: 'Send reset link' }).click();
    await other.page.getByText('Enter your email.').waitFor();
    await other.page.getByLabel('Email').fill(email);
    await other.page.getByRole('button', { name: 'Send reset link' }).click();
    await other.page.getByText('If the account exists, we’ve emailed a link.').waitFor();
    await inspect(other.page, 'forgot-sent');
    const link = await linkOfMail(mailUrl, 2);
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Reset your password' }).waitFor();
    await inspect(other.page, 'reset');
    await fillPasswords(other.page, 'second password');
    await other.page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await other.page.waitForURL(`${url}/login`);
    await signIn(other.page, 'first password');
    await other.page.getByText('Incorrect email or password.').waitFor();
    await signIn(other.page, 'second password');
    await other.page.waitForURL(`${url}/dashboard`);
    await other.page.goto(link);
    await other.page.getByRole('link', { name: 'Request a new link' }).click();
    await other.page.waitForURL(`${url}/forgot`);
    // Setting the password ended the session of the other browser.
    await page.goto(`${url}/account`);
    await page.waitForURL(`${url}/login?next=/account`);

    expect([...complaints, ...other.complaints]).toEqual([]);
    expect([...origins, ...other.origins]).toEqual([url, url]);
    expect([...referrers, ...other.referrers].join()).not.toContain('token=');
  });

  it('verify a new address, and count a changed one once it is confirmed', async () => {
    const { url, mailUrl } = await start();
    const phone = { viewport: { width: 390, height: 664 } };
    const { page, complaints, origins, referrers } = await open(`${url}/register`, phone);
    await page.getByLabel('Name').fill('Ann Example');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('first password');
    await page.getByLabel('Confirm password').fill('first password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/dashboard`);
    const link = await linkOfMail(mailUrl, 1);

    const stranger = await open(link);
    await stranger.page.getByText('Sign in to the account that the link was sent for.').waitFor();
    await inspect(stranger.page, 'verify-signed-out');

    await page.goto(link);
    await page.getByText(`Is ${email} your email address?`).waitFor();
    await inspect(page, 'verify');
    await page.getByRole('button', { name: 'Verify email address' }).press('Enter');
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();

    await page.goto(`${url}/account`);
    const form = page.getByRole('region', { name: 'Email', exact: true });
    await form.getByText('Verified', { exact: true }).waitFor();
    await form.getByLabel('Email').fill('ann.b@example.com');
    await form.getByLabel('Current password').fill('first password');
    await form.getByRole('button', { name: 'Change email' }).click();
    await form.getByText('Until then your address stays as it is.').waitFor();
    const links = async () => {
      const { body } = await send(`${mailUrl}/store`);
      return JSON.stringify(body.emails).match(/http:[^\s"\\]+\/verify\?[^\s"\\]+/g) ?? [];
    };
    await expect.poll(async () => (await links()).at(-1)).not.toBe(link);
    await page.goto((await links()).at(-1) ?? '');
    await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor();
    await inspect(page, 'verify-new');
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await page.getByText('ann.b@example.com is your verified address.').waitFor();

    expect([...complaints, ...stranger.complaints]).toEqual([]);
    expect([...origins, ...stranger.origins]).toEqual([url, url]);
    expect([...referrers, ...stranger.referrers].join()).not.toContain('token=');
  });

  it('set a password without a script', async () => {
    const { url, mailUrl, token } = await start();
    await invite(url, token);
    const { page } = await open(await linkOfMail(mailUrl, 1), { javaScriptEnabled: false });
    await fillPasswords(page, 'first password');
    await page.getByRole('heading', { name: 'Password set' }).waitFor();
  });

  it('register only invited users if an invitation is required', async () => {
    const { url, mailUrl, token } = await start({ REGISTRATION: 'invite' });
    await invite(url, token);
    const invitation = await linkOfMail(mailUrl, 1);
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
    expect(await page.getByRole('link', { name: 'Create an account' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
