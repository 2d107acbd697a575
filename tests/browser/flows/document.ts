import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { read } from '../../support/pages/composer-page.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

const state = (page: Page) => page.locator('#save-state');

/** Waits until the page says this of the text’s last change. */
export const stateIs = (page: Page, expected: string) =>
  expect.poll(async () => (await state(page).innerText()).trim()).toBe(expected);

/** Waits until the editor has this text. */
export const textIs = (page: Page, expected: string) =>
  expect.poll(() => read(page)).toBe(expected);

/** The title’s field. */
export const title = (page: Page) => page.getByLabel('Title', { exact: true });

/** Waits until CodeMirror has taken the place of the textarea. */
export const codeMirror = (page: Page) => page.locator('.cm-content').waitFor();

/** Chooses an action of the document. */
export const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Actions for this document' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** Starts a service with a document of Ann that Bob can read, and Mod can change. */
export const start = async (fields: object = {}) => {
  const service = await startConsole(browser, [
    { name: 'Ann', permissions: ['documents:*'] },
    { name: 'Bob' },
    { name: 'Mod', role: 'admin' },
  ]);
  const { url, signIn } = service;
  const token = await signIn(ann);
  const made = await send(`${url}/api/documents`, {
    method: 'POST',
    token,
    body: {
      title: 'Plans',
      type: 'markdown',
      content: '# Plans\n\nFirst.',
      visibility: 'everyone',
      ...fields,
    },
  });
  expect(made.status).toBe(201);
  const { id } = made.body.data as { id: number };
  const stored = async () => (await send(`${url}/api/documents/${id}`, { token })).body.data;
  const change = async (body: object) => {
    const changed = await send(`${url}/api/documents/${id}`, { method: 'PUT', token, body });
    expect(changed.status).toBe(200);
  };
  return { ...service, id, path: `/documents/${id}`, stored, change };
};
