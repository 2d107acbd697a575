import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

export const email = 'ann@example.com';

/** Starts a service, and returns how to find the links of its emails. */
export const start = async (settings: Record<string, string> = {}) => {
  const { url, output } = await startFreshService(settings);
  const mailUrl = output().match(/Email +(http:\/\/\S+)/)?.[1] ?? '';
  const readTexts = async (): Promise<string[]> => {
    const { body } = await send(`${mailUrl}/store`);
    return body.emails.map(({ body: { text } }: { body: { text: string } }) => text);
  };
  const links = async (): Promise<string[]> =>
    (await readTexts()).join('\n').match(/http:\S+/g) ?? [];
  // The process may have served other tests, whose emails are still there.
  const old = new Set(await links());
  const oldTexts = new Set(await readTexts());
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  return {
    url,
    token: body.token as string,
    /** Waits for an email with a link to this page, and returns the newest such link. */
    linkTo: async (path: string): Promise<string> => {
      const find = async () =>
        (await links()).findLast((link) => !old.has(link) && new URL(link).pathname === path);
      await expect.poll(find).toBeDefined();
      return (await find()) ?? '';
    },
    /** Waits for an email with a code of six digits, and returns the newest one. */
    newCode: async (): Promise<string> => {
      const find = async () =>
        (await readTexts())
          .filter((text) => !oldTexts.has(text))
          .findLast((text) => /^\d{6}$/m.test(text))
          ?.match(/^\d{6}$/m)?.[0];
      await expect.poll(find).toBeDefined();
      return (await find()) ?? '';
    },
  };
};

/** Opens a page and records the referrers that the browser sends. */
export const open = async (url: string, options = {}) => {
  const opened = await openPage(await openContext(browser, options), url);
  const referrers: string[] = [];
  opened.page.on('request', (request) => {
    const { referer } = request.headers();
    if (referer !== undefined) referrers.push(referer);
  });
  return { ...opened, referrers };
};

/** Chooses a password by the form of a link. */
export const fillPasswords = async (page: Page, password: string, again = password) => {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Confirm password').fill(again);
  await page.getByRole('button', { name: 'Save and sign in' }).click();
};

/** Signs Ann in. */
export const signIn = async (page: Page, password: string) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/** Invites Ann. */
export const invite = (url: string, token: string) =>
  send(`${url}/api/users`, { method: 'POST', token, body: { email, name: 'Ann' } });
