import type { Page } from 'playwright-core';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

/** Registers the user whom `signIn` signs in. */
export const register = (url: string, email = 'ann@example.com') =>
  send(`${url}/api/auth/register`, {
    method: 'POST',
    body: { email, name: 'Ann', password: 'correct horse', confirmPassword: 'correct horse' },
  });

/** Starts a service with one user, and returns its URL and how to open a page in a browser of its own. */
export const start = async () => {
  const { url } = await startFreshService();
  await register(url);
  const open = async (path: string) => openPage(await openContext(browser), `${url}${path}`);
  return { url, open };
};

/** Fills in the page of sign-in, and sends it. */
export const signIn = async (page: Page, password = 'correct horse'): Promise<void> => {
  await page.getByLabel('Email').fill('ann@example.com');
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** The alerts of a page that say something. */
export const alerts = (page: Page) => page.getByRole('alert').filter({ hasText: /./ });
