import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  isKept,
  newContext,
  openOptions,
  openSignedIn,
  person,
  ready,
  share,
  signUp,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const error = (code: string, message: string) =>
  JSON.stringify({ success: false, error: { code, message, details: [] } });

describe.skipIf(!hasBrowser)('content that can’t be shared', () => {
  const told = async (page: Page): Promise<string> => {
    const alert = page.getByRole('alert').filter({ hasText: /./ });
    await alert.waitFor();
    return (await alert.innerText()).split('\n')[0] ?? '';
  };

  it('is kept with its options after the session has ended', async () => {
    const url = await startComposer();
    const { page, context } = await openSignedIn(browser, url);
    await text(page).fill('# Long work');
    await openOptions(page);
    await choosePassword(page, 'Custom');
    await page.getByLabel('Custom password').fill('Abc123');
    await page.keyboard.press('Escape');
    await context.clearCookies();
    await share(page).click();
    const again = page.getByRole('dialog', { name: 'Sign in again' });
    await again.getByRole('button', { name: 'Not now' }).click();
    await expect
      .poll(() => told(page))
      .toBe('You’re signed out. Sign in in another tab, then try again. Your draft is kept.');
    await inspect(page, 'composer-session-over');
    const [other] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('alert').getByRole('link', { name: 'Sign in' }).click(),
    ]);
    await other.getByLabel('Email').fill(person.email);
    await other.getByLabel('Password', { exact: true }).fill(person.password);
    await other.getByRole('button', { name: 'Sign in', exact: true }).click();
    await other.waitForURL(`${url}/dashboard`);
    await other.close();
    await share(page).click();
    await ready(page);
    const [stranger] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Open page' }).click(),
    ]);
    // It asks its owner for no password.
    await stranger.getByText('This is yours').waitFor();
    await stranger.getByRole('heading', { name: 'Long work' }).waitFor();
  });

  it('is kept, with instructions for each error', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url);
    await text(page).fill('# Long work');
    const responses = [
      [429, error('RATE_LIMITED', 'Too many requests. Try again in 5 minutes.'), /5 minutes/],
      [429, '{"message":"Too Many Requests"}', /^The service is busy. Try again later\.$/],
      [503, '{"message":"Service Unavailable"}', /^The service is busy. Try again later\.$/],
      [504, '<html>', /^The service is busy. Try again later\.$/],
      [
        413,
        '{"message":"Request Entity Too Large"}',
        /^This is 11 bytes. Markdown can be at most 512 KB\.$/,
      ],
      [500, error('INTERNAL_ERROR', 'Internal server error.'), /Internal server error/],
      [200, '', /^Something went wrong. Try again\.$/],
    ] as const;
    for (const [status, body, expected] of responses) {
      await page.route('**/api/share', (route) => route.fulfill({ status, body }), { times: 1 });
      await share(page).click();
      await expect.poll(() => told(page)).toMatch(expected);
      await textIs(page, '# Long work');
      await isKept(page, '# Long work');
    }
    await share(page).click();
    await ready(page);
  });

  it('can be sent again after a lost response', async () => {
    const url = await startComposer();
    const context = await newContext(browser);
    await signUp(context, url);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(url);
    await text(page).fill('# Long work');
    const arrived = Promise.withResolvers<void>();
    await page.route('**/api/share', () => arrived.resolve(), { times: 1 });
    await share(page).click();
    await arrived.promise;
    await page.clock.runFor(61_000);
    await expect
      .poll(() => told(page))
      .toBe('Can’t reach the server. Check your connection and try again.');
    await share(page).click();
    await ready(page);
  });

  it('is not left for signing in if the browser stores nothing', async () => {
    const url = await startComposer();
    const context = await newContext(browser);
    await context.addInitScript('Storage.prototype.setItem = () => { throw new RangeError(); }');
    const { page } = await openPage(context, url);
    await text(page).fill('# Long work');
    await share(page).click();
    await expect.poll(() => told(page)).toMatch(/^You’re signed out\. Sign in in another tab/);
    await page.getByText('This draft can’t be saved in your browser.').waitFor();
    expect(page.url()).toBe(`${url}/`);
    await signUp(context, url);
    await share(page).click();
    await ready(page);
  });
});
