import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

/** Returns the names of the files of the draft. */
export const attached = async (page: Page) => {
  const names = await page.locator('.attached li > .cut').allInnerTexts();
  return names;
};

/** Waits until all files are uploaded. */
export const ready = (page: Page) =>
  expect.poll(() => page.locator('.attached progress').count()).toBe(0);

/** A file to choose. */
export const toBuffer = (name: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`About ${name}`),
});

/** Drops a file on the message. */
export const drop = (page: Page, name: string) =>
  page.locator('.write').evaluate((form, fileName) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['Dropped'], fileName));
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
  }, name);

/** Starts a service with Ann, who can upload files, and Bob, who can’t. */
export const start = async () => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['messages:*', 'files:*', 'users:view'] },
    { name: 'Bob', permissions: ['messages:*'] },
  ]);
  const { url, signIn, find } = service;
  const token = await signIn(ann);
  const upload = async (name: string): Promise<number> => {
    const body = new FormData();
    body.append('file', new File(['Ink'], name));
    const headers = { authorization: `Bearer ${token}` };
    const made = await fetch(`${url}/api/files/upload`, { method: 'POST', headers, body });
    expect(made.status).toBe(201);
    return (await made.json()).data.id;
  };
  const write = async () => {
    const body = { recipients: [(await find('bob')).id], content: 'Hi', subject: 'One' };
    const made = await send(`${url}/api/messages`, { method: 'POST', token, body });
    expect(made.status).toBe(201);
  };
  return { ...service, token, upload, write };
};
