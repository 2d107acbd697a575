import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { link, signUp, startComposer, text } from '../pages/composer-page.ts';
import { openContext, openPage } from '../pages/open-page.ts';

/** The sizes of a desk and of a phone. */
export const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 664 },
];

/** All of a request that leaves the browser: its address, its headers with the referrer, and its body as text. */
const toText = (request: Request): string =>
  [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n');

/** Opens the composer of a new user, and records all that leaves the browser. */
export const openRecorded = async (browser: Browser, options: BrowserContextOptions = {}) => {
  const url = await startComposer();
  const context = await openContext(browser, {
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const token = await signUp(context, url);
  const sent: string[] = [];
  context.on('request', (request) => sent.push(toText(request)));
  return { url, context, token, sent, ...(await openPage(context, url)) };
};

/** The switch that seals a share. */
export const sealedSwitch = (page: Page) => page.getByRole('switch', { name: /^Sealed/ });

/** Seals the share, and with a passphrase if one is given, by the keyboard only. */
export const seal = async (page: Page, passphrase?: string): Promise<void> => {
  await page.locator('#chip-password').press('Enter');
  await page.locator('#options').waitFor();
  const focused = page.locator(':focus');
  await expect.poll(() => focused.getAttribute('id')).toBe('has-password');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(() => focused.getAttribute('id')).toBe('share-sealed');
  if (passphrase !== undefined) {
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => focused.getAttribute('id')).toBe('share-passphrase');
    await page.keyboard.type(passphrase);
  }
  await page.keyboard.press('Escape');
};

/** Writes a text, seals it and shares it. Returns its whole link. */
export const shareSealed = async (
  page: Page,
  content: string,
  passphrase?: string,
): Promise<string> => {
  await text(page).fill(content);
  await seal(page, passphrase);
  await page.keyboard.press('Control+Enter');
  await page.getByRole('heading', { name: 'Your page is ready' }).waitFor();
  return link(page).inputValue();
};

/** The form that asks for what opens a sealed share. */
export const unsealForm = (page: Page) =>
  page.getByRole('region', { name: 'Open this sealed share' });

/** Closes the result by the keyboard, which leads on to edit the share. */
export const goOn = async (page: Page): Promise<void> => {
  await page.keyboard.press('Escape');
  await page.waitForURL(/\?edit=/);
};
