import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { send } from '../run/process.ts';
import { startConsole } from './console-service.ts';

const permissions = [
  'documents:view',
  'documents:create',
  'documents:update',
  'documents:delete',
  'users:view',
];
export const ann = 'ann@example.com';
export const bob = 'bob@example.com';

/** Starts a service with Ann, who can do all with documents, Bob, who can only view them, and these documents of Ann. */
export const startDocuments = async (
  browser: Browser,
  documents: readonly Record<string, unknown>[] = [],
) => {
  const service = await startConsole(browser, [
    { name: 'Ann', role: 'guest', permissions },
    { name: 'Bob', role: 'guest', permissions: ['documents:view'] },
  ]);
  const tokens = new Map<string, string>();
  const api = async (method: string, path: string, body?: unknown, as = ann) => {
    const token = tokens.get(as) ?? (await service.signIn(as));
    tokens.set(as, token);
    const options = { method, token, ...(body !== undefined && { body }) };
    return send(`${service.url}/api/documents${path}`, options);
  };
  for (const document of documents) {
    const made = await api('POST', '', document);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
  }
  const list = async (query = '', as = ann) => (await api('GET', query, undefined, as)).body.data;
  const open = (email = ann, path = '/documents', width = 1440) =>
    service.open(email, path, { width, height: 900 });
  return { ...service, api, list, open };
};

/** Returns the titles that the list shows. */
export const titles = (page: Page) => page.locator('#documents td.m b').allInnerTexts();

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

export const dialog = (page: Page, name?: string | RegExp) =>
  page.getByRole('dialog', name === undefined ? {} : { name });

/** Chooses an action of a document. */
export const choose = async (page: Page, title: string, action: string) => {
  await button(page, `Actions for ${title}`).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
};

/** Waits until what has this name has the focus. */
export const hasFocus = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.evaluate(
        'document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent ?? document.activeElement.textContent.trim()',
      ),
    )
    .toBe(name);

/** Documents in two folders and in none. */
export const three = [
  { title: 'Minutes of May', folder: 'Minutes', tags: ['board'], type: 'markdown' },
  {
    title: 'House rules',
    folder: 'House',
    tags: ['board', 'rules'],
    visibility: 'everyone',
    content: 'A quorum is five.',
  },
  { title: 'Paper contract', tags: ['legal'] },
];
