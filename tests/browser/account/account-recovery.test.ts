// The links of emails, from the email to the page: invitations, new passwords, proven addresses.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { email, fillPasswords, invite, open, signIn, start } from '../flows/account-recovery.ts';

describe.skipIf(!hasBrowser)('the invitation and password reset pages', () => {
  it('lead from an invitation to a password, and from a forgotten one to a new one', async () => {
    const { url, linkTo, token } = await start();
    expect((await invite(url, token)).status).toBe(201);
    const invitation = await linkTo('/invite');
    // The form works without a script.
    const { page, complaints, origins, referrers } = await open(invitation);
    await page.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
    await expect.poll(() => page.getByText(email).isVisible()).toBe(true);
    await fillPasswords(page, 'first password', 'another one');
    await page.getByText('The passwords don’t match.').waitFor();
    await inspect(page, 'invite-wrong');
    await fillPasswords(page, 'first password');
    // Who has chosen a password is signed in.
    await page.waitForURL(`${url}/dashboard`);
    await page.goto(invitation);
    await page.getByRole('heading', { name: 'This link is invalid or expired' }).waitFor();

    const other = await open(`${url}/login`);
    const focused = () => other.page.evaluate('document.activeElement.id');
    await expect.poll(focused).toBe('login-email');
    await other.page.keyboard.type('jo@example.com');
    await other.page.getByRole('link', { name: 'Forgot password?' }).click();
    // The address goes along, and not in the URL.
    await other.page.waitForURL(`${url}/forgot`);
    const typed = other.page.getByLabel('Email');
    await expect.poll(() => typed.inputValue()).toBe('jo@example.com');
    await expect.poll(focused).toBe('forgot-email');
    await other.page.getByRole('link', { name: 'Sign in' }).click();
    await expect.poll(focused).toBe('login-password');
    await expect.poll(() => typed.inputValue()).toBe('jo@example.com');
    await typed.fill('');
    await other.page.getByRole('link', { name: 'Forgot password?' }).click();
    await other.page.waitForURL(`${url}/forgot`);
    await other.page.getByRole('button', { name: 'Send reset link' }).click();
    await other.page.getByText('Enter your email.').waitFor();
    await other.page.getByLabel('Email').fill(email);
    await other.page.getByRole('button', { name: 'Send reset link' }).click();
    await other.page.getByText('If the account exists, we’ve emailed a link.').waitFor();
    await inspect(other.page, 'forgot-sent');
    const link = await linkTo('/reset');
    await other.page.goto(link);
    await other.page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    await expect.poll(focused).toBe('set-password');
    await fillPasswords(other.page, 'second password');
    await other.page.waitForURL(`${url}/dashboard`);
    await other.page.getByText('Password changed. Other devices were signed out.').waitFor();
    await other.page.goto(link);
    await other.page.getByRole('link', { name: 'Request a new link' }).click();
    await other.page.waitForURL(`${url}/forgot`);
    // Setting the password ended the session of the other browser.
    await page.goto(`${url}/account`);
    await page.waitForURL(`${url}/login?next=/account`);
    await page.getByText('You were signed out because your password changed.').waitFor();
    await inspect(page, 'sign-in-reason');
    await signIn(page, 'first password');
    await page.getByText('Incorrect email or password.').waitFor();
    await signIn(page, 'second password');
    await page.waitForURL(`${url}/account`);

    expect([...complaints, ...other.complaints]).toEqual([]);
    expect([...origins, ...other.origins]).toEqual([url, url]);
    expect([...referrers, ...other.referrers].join()).not.toContain('token=');
  });

  it('verify a new address, and count a changed one once it is confirmed', async () => {
    const { url, linkTo } = await start();
    const phone = { viewport: { width: 390, height: 664 } };
    const { page, complaints, origins, referrers } = await open(`${url}/register`, phone);
    await page.getByLabel('Name').fill('Ann Example');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('first password');
    await page.getByLabel('Confirm password').fill('first password');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL(`${url}/dashboard`);
    const link = await linkTo('/verify');

    const stranger = await open(link);
    await stranger.page.getByText('Sign in to the account that the link was sent for.').waitFor();

    await page.goto(link);
    await page.getByText(`Is ${email} your email address?`).waitFor();
    await page.getByRole('button', { name: 'Verify email address' }).press('Enter');
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();
    await page.goto(link);
    await page.getByRole('heading', { name: 'Email address verified' }).waitFor();

    await page.goto(`${url}/account?tab=security`);
    const ways = page.getByRole('region', { name: 'Sign-in', exact: true });
    await ways.getByText('Verified', { exact: true }).waitFor();
    await ways.getByRole('button', { name: 'Change email' }).click();
    const form = page.getByRole('dialog', { name: 'Change email' });
    await form.getByLabel('New email').fill('ann.b@example.com');
    await form.getByLabel('Current password').fill('first password');
    await form.getByRole('button', { name: 'Change email' }).click();
    await ways.getByText('waits for a click in that mailbox').waitFor();
    await expect.poll(() => linkTo('/verify')).not.toBe(link);
    await page.goto(await linkTo('/verify'));
    await page.getByRole('heading', { name: 'Confirm your new email address' }).waitFor();
    await page.getByRole('button', { name: 'Confirm email address' }).click();
    await page.getByText('ann.b@example.com is your verified address.').waitFor();

    expect([...complaints, ...stranger.complaints]).toEqual([]);
    expect([...origins, ...stranger.origins]).toEqual([url, url]);
    expect([...referrers, ...stranger.referrers].join()).not.toContain('token=');
  });
});
