import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { signUp } from '../../support/pages/composer-page.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

/** Waits for the shell's script. */
export const isStarted = (page: Page) => page.locator('.offline').waitFor({ state: 'attached' });

/** Adds a search field to the page. */
export const addField = async (page: Page) => {
  await page.evaluate(`document.querySelector('main').append(Object.assign(
    document.createElement('input'), { type: 'search', ariaLabel: 'Filter' }))`);
  return page.getByLabel('Filter', { exact: true });
};

/** Starts a service with Ann, whose browser opens the shell. */
export const start = async () => {
  const { url } = await startFreshService();
  const context = await openContext(browser);
  const token = await signUp(context, url);
  const open = async () => {
    const opened = await openPage(context, `${url}/notifications`);
    await isStarted(opened.page);
    return opened;
  };
  return { url, context, token, open };
};

/** Sends Ann a message from the administrator. */
export const sendMessage = async (url: string, token: string, subject: string) => {
  const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
  const me = await send(`${url}/api/auth/me`, { token });
  const sent = await send(`${url}/api/messages`, {
    method: 'POST',
    token: body.token,
    body: { recipients: [me.body.data.id], subject, content: 'Hello' },
  });
  expect(sent.status, JSON.stringify(sent.body)).toBe(201);
};

export const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });

export const selected = (page: Page) => palette(page).locator('[aria-selected=true]');

export const inbox = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

export const bell = (page: Page) => page.locator('#bell');
