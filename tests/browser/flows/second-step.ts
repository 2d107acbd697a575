import type { Page } from 'playwright-core';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';
import { codeOf } from '../../support/users/authenticator.ts';
import { register } from './sign-in.ts';

/** The small phone of the drawn pages. */
export const phone = { viewport: { width: 390, height: 664 }, hasTouch: true, isMobile: true };

/** Starts a service with one user, who has an authenticator app. Its code of now is used. */
export const startWithApp = async () => {
  const service = await startFreshService();
  const { url } = service;
  const { body } = await register(url);
  const token: string = body.token;
  const begun = await send(`${url}/api/auth/totp`, { method: 'POST', token, body: {} });
  const { secret } = begun.body.data as { secret: string };
  const done = await send(`${url}/api/auth/totp/confirm`, {
    method: 'POST',
    token,
    body: { code: codeOf(secret) },
  });
  const open = async (path: string, options = {}) =>
    openPage(await openContext(browser, options), `${url}${path}`);
  return { ...service, secret, codes: done.body.data.codes as string[], open };
};

/** Types email address and password by keyboard, on a page that begins in the first field. */
export const typePassword = async (page: Page, email = 'ann@example.com'): Promise<void> => {
  await page.locator('#login-email:focus').waitFor();
  await page.keyboard.type(email);
  await page.locator('#login-password').focus();
  await page.keyboard.type('correct horse');
  await page.keyboard.press('Enter');
};

/** The field for the code, once it has the focus. */
export const focusedCode = async (page: Page): Promise<void> =>
  page.locator('#totp-code:focus').waitFor();
