import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { followingCode, wrongCode } from '../../support/users/authenticator.ts';
import { focusedCode, phone, startWithApp, typePassword } from '../flows/second-step.ts';
import { alerts } from '../flows/sign-in.ts';

describe.skipIf(!hasBrowser)('signing in with a second factor', () => {
  it('takes the code of the app by keyboard, after an incorrect one', async () => {
    const { url, secret, open } = await startWithApp();
    const { page, complaints } = await open('/login?next=/account');
    await typePassword(page);
    await focusedCode(page);
    await expect.poll(() => page.title()).toBe('Confirm it’s you · Handbill');
    const wrong = wrongCode(secret);
    await page.keyboard.type(wrong.slice(0, 2));
    await inspect(page, 'second-factor');
    // Six digits are sent by themselves; what was typed stays, and the next code replaces it.
    await page.keyboard.type(wrong.slice(2));
    await page.getByText('Incorrect code. Try again.').waitFor();
    await focusedCode(page);
    await expect.poll(() => page.getByLabel('6-digit code').inputValue()).toBe(wrong);
    await inspect(page, 'second-factor-wrong');
    await page.keyboard.type(followingCode(secret));
    await page.waitForURL(`${url}/account`);
    expect(complaints).toEqual([]);
  });

  it('takes a pasted code on a phone, and isn’t asked again on this device', async () => {
    const { url, secret, open } = await startWithApp();
    const { page } = await open('/login', phone);
    await typePassword(page);
    await focusedCode(page);
    await page.getByRole('checkbox', { name: 'Don’t ask on this device' }).check();
    const code = followingCode(secret);
    await page.getByLabel('6-digit code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
    await page.waitForURL(`${url}/dashboard`);
    await page.evaluate("fetch('/api/auth/logout', { method: 'POST' })");
    await page.goto(`${url}/login`);
    await typePassword(page);
    await page.waitForURL(`${url}/dashboard`);
  });

  it('takes a recovery code once, and leads back to the app', async () => {
    const { url, codes, open } = await startWithApp();
    const [code = ''] = codes;
    const { page } = await open('/login');
    await typePassword(page);
    await focusedCode(page);
    await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter');
    await page.locator('#recovery-code:focus').waitFor();
    await page.getByRole('heading', { name: 'Use a recovery code' }).waitFor();
    await inspect(page, 'recovery-code');
    await page.getByRole('button', { name: 'Use another way' }).press('Enter');
    await focusedCode(page);
    await page.getByRole('button', { name: 'Use a recovery code' }).press('Enter');
    await page.locator('#recovery-code:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Enter a recovery code, such as xxxx-xxxx.').waitFor();
    await page.keyboard.type('aaaa-aaaa');
    await page.keyboard.press('Enter');
    await page.getByText('Incorrect code. Try again.').waitFor();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/dashboard`);
  });

  it('waits after too many codes, and says for how long', async () => {
    const { open } = await startWithApp();
    const { page } = await open('/login');
    await page.clock.install();
    await page.route('**/api/auth/mfa', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '90' },
        json: { success: false, error: { code: 'RATE_LIMITED', message: 'Too many requests.' } },
      }),
    );
    await typePassword(page);
    await focusedCode(page);
    await page.keyboard.type('123456');
    await page.getByText('Too many incorrect codes. Try again in 2 minutes.').waitFor();
    await focusedCode(page);
    const waiting = page.getByRole('button', { name: 'Confirm in 1:' });
    await expect.poll(() => waiting.getAttribute('aria-disabled')).toBe('true');
    await page.clock.runFor(91_000);
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor();
    await expect.poll(() => alerts(page).count()).toBe(0);
  });

  it('goes back to the password once the step has expired, and says why', async () => {
    const { url, secret, open } = await startWithApp();
    const { page } = await open('/login');
    await page.route(
      '**/api/auth/mfa',
      (route) =>
        route.fulfill({
          status: 401,
          json: { success: false, error: { code: 'UNAUTHORIZED', message: 'Too long.' } },
        }),
      { times: 1 },
    );
    await typePassword(page);
    await focusedCode(page);
    await page.keyboard.type('123456');
    await page.getByText('Confirming took too long, or your account changed.').waitFor();
    await page.locator('#login-password:focus').waitFor();
    await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('ann@example.com');
    await page.keyboard.type('correct horse');
    await page.keyboard.press('Enter');
    await focusedCode(page);
    await page.keyboard.type(followingCode(secret));
    await page.waitForURL(`${url}/dashboard`);
  });

  it('lets someone else sign in', async () => {
    const { url, open } = await startWithApp();
    const { page } = await open('/login?next=/account');
    await typePassword(page);
    await focusedCode(page);
    await page.getByRole('link', { name: 'Sign in as someone else' }).click();
    await page.locator('#login-email:focus').waitFor();
    expect(page.url()).toBe(`${url}/login?next=/account`);
  });
});
