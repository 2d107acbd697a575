import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { email, open, start } from '../flows/account-recovery.ts';
import { register } from '../flows/sign-in.ts';

const settings = { EMAIL_SIGN_IN: 'on', MAIL_FROM: 'handbill@example.com' };

describe.skipIf(!hasBrowser)('signing in by email in a browser', () => {
  it('takes the code or the link of an email', async () => {
    const { url, linkTo, newCode } = await start(settings);
    await register(url, email);
    const { page, complaints } = await open(`${url}/login?next=/files`, {
      viewport: { width: 390, height: 664 },
    });
    await page.getByLabel('Email').and(page.locator(':focus')).waitFor();
    // Without an address, the button says what it needs.
    await page.getByRole('button', { name: 'Email me a code' }).press('Enter');
    await page.getByText('Enter your email.').waitFor();
    await page.keyboard.type(email);
    await page.getByRole('button', { name: 'Email me a code' }).press('Enter');
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    const field = page.getByLabel('6-digit code');
    await field.and(page.locator(':focus')).waitFor();
    const code = await newCode();
    await page.keyboard.type(code === '000000' ? '111111' : '000000');
    await page.getByText('Incorrect code, or it has expired.').waitFor();
    await inspect(page, 'email-code-wrong');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(code);
    await page.waitForURL(`${url}/files`);

    // The link works once: it belongs to the code.
    const link = await linkTo('/login/email');
    const other = await open(link);
    await other.page.getByRole('button', { name: 'Sign in', exact: true }).press('Enter');
    await other.page.getByRole('alert').filter({ hasText: 'invalid or expired' }).waitFor();
    expect(other.page.url()).not.toContain('token');
    await inspect(other.page, 'email-link-used');
    const isNoise = (text: string) => /status of 4\d\d/.test(text);
    expect([...complaints, ...other.complaints].filter((text) => !isNoise(text))).toEqual([]);
  });
});
