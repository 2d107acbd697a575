import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { alerts, signIn, start } from '../flows/sign-in.ts';

describe.skipIf(!hasBrowser)('the sign-in pages in a browser', () => {
  const focused = (page: Page) => page.evaluate('document.activeElement.id');

  it('show what is wrong beside its field, and focus the first', async () => {
    const { url, open } = await start();
    const { page, complaints } = await open('/register');
    const submit = () => page.getByRole('button', { name: 'Create account' }).click();
    await submit();
    await expect
      .poll(() => alerts(page).allInnerTexts())
      .toEqual(['Enter your name.', 'Enter your email.', 'Enter your password.']);
    await expect.poll(() => focused(page)).toBe('register-name');
    await page.getByLabel('Name').fill('A');
    await page.getByLabel('Email').fill('ann@');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm password').fill('other');
    await submit();
    await expect
      .poll(() => alerts(page).allInnerTexts())
      .toEqual([
        'Enter at least 2 characters.',
        'Enter an email address, such as name@example.com.',
        'Enter at least 6 characters.',
        'The passwords don’t match.',
      ]);
    await inspect(page, 'register-wrong');
    await page.getByLabel('Name').fill('Ann');
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByLabel('Confirm password').fill('correct horse');
    await expect.poll(() => alerts(page).count()).toBe(0);
    await submit();
    await page.getByText('Is already registered: if it’s yours, reset the password').waitFor();
    await expect.poll(() => alerts(page).count()).toBe(1);
    await expect.poll(() => focused(page)).toBe('register-email');

    // An incorrect password is selected, to be typed again.
    await page.goto(`${url}/login`);
    await signIn(page, 'wrong horse');
    await page.getByText('Incorrect email or password.').waitFor();
    await expect.poll(() => focused(page)).toBe('login-password');
    await page.keyboard.type('correct horse');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/dashboard`);
    expect(complaints).toEqual([]);
  });
});
