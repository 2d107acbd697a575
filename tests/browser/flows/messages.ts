import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

/** Returns the subjects of the conversations, with what is unread. */
export const subjects = async (page: Page) => {
  const found = await page.locator('.convs li p:first-of-type').allInnerTexts();
  return found.map((text) => text.replace(/\s+/g, ' '));
};

/** Counts unread conversations. */
export const unread = (page: Page) => page.locator('.convs li.new').count();

/** Returns the messages of the open conversation. */
export const texts = (page: Page) => page.locator('.msg .text').allInnerTexts();

/** The field of an answer. */
export const reply = (page: Page) => page.locator('.write textarea');

/** Starts a service in which Ann finds everyone by name, and Bob only people who wrote to him. */
export const start = async () => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['messages:*', 'files:*', 'users:view'] },
    { name: 'Bob', permissions: ['messages:*', 'files:*'] },
    { name: 'Cem', permissions: ['messages:*'] },
  ]);
  const { url, find, signIn } = service;
  const ids = { ann: 0, bob: 0, cem: 0 };
  for (const name of ['ann', 'bob', 'cem'] as const) ids[name] = (await find(name)).id;
  const token = await signIn(ann);
  const write = async (body: object, by = token) => {
    const recipients = [ids.bob];
    const made = await send(`${url}/api/messages`, {
      method: 'POST',
      token: by,
      body: { recipients, content: 'Hi', ...body },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.data;
  };
  return { ...service, ids, write };
};

/** Makes the page ask for updates, as it does when it becomes visible again. */
export const look = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
