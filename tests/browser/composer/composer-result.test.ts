import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';
import {
  link,
  openOptions,
  openSignedIn,
  ready,
  share,
  startComposer,
  text,
} from '../../support/pages/composer-page.ts';

describe.skipIf(!hasBrowser)('the result of the composer', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('is copied with its password as one text, and passed on to the system', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    // Chromium without a desktop has no sheet.
    await page.evaluate(
      'navigator.share = (data) => { globalThis.sent = data; return Promise.resolve(); }',
    );
    await text(page).fill('# Hello');
    await openOptions(page);
    await page.getByLabel('Password', { exact: true }).selectOption('Generate');
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    await page.getByRole('button', { name: 'Copy link and password' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const url = await link(page).inputValue();
    const password = await page.getByLabel('Password. Copy it now').inputValue();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `${url}\nPassword: ${password}`,
    );
    await page.getByRole('button', { name: 'Send link' }).click();
    expect(await page.evaluate('sent')).toMatchObject({ url });
    expect(complaints).toEqual([]);
  });
});
