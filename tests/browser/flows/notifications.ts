import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const email = 'bob@example.com';

/** Returns the first lines of the notifications. */
export const titles = (page: Page) => page.locator('#notifications .entry b').allInnerTexts();

/** Returns the second lines of the notifications. */
export const contents = (page: Page) => page.locator('#notifications .entry p').allInnerTexts();

/** Counts unread notifications. */
export const unread = (page: Page) => page.locator('#notifications li.new').count();

/** A type of notifications. */
export const tab = (page: Page, name: string | RegExp) =>
  page.locator('#notifications').getByRole('link', { name });

/** Starts a service in which Ann writes to Bob and shares documents with him. */
export const start = async () => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['documents:*', 'messages:*'] },
    { name: 'Bob' },
  ]);
  const { url, find, signIn } = service;
  const bob = await find('Bob');
  const token = await signIn('ann@example.com');
  const post = async (path: string, body: object) => {
    const made = await send(`${url}${path}`, { method: 'POST', token, body });
    expect(made.status, JSON.stringify(made.body)).toBeLessThan(300);
    return made.body.data;
  };
  const write = (subject: string) =>
    post('/api/messages', { recipients: [bob.id], subject, content: 'Hi' });
  const shareDocument = async (title: string) => {
    const { id } = await post('/api/documents', { title, content: 'x' });
    await post(`/api/documents/${id}/share`, { userIds: [bob.id] });
    return id as number;
  };
  return { ...service, write, shareDocument };
};

/** Makes the page ask for updates, as it does when it becomes visible again. */
export const look = (page: Page) =>
  page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
