import type { Page } from 'playwright-core';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

/** The listed entries. */
export const rows = (page: Page) => page.locator('#audit tbody tr');

/** Returns what was done, by entry. */
export const changes = (page: Page) => page.locator('#audit td.m a').allInnerTexts();

/** The entry that is open. */
export const drawer = (page: Page) => page.locator('dialog.drawer[open]');

/** Starts a service in which a user was changed, and a document shared. */
export const start = async () => {
  const service = await startConsole(browser, [
    { name: 'Ann', role: 'user', permissions: ['documents:create', 'documents:update'] },
    { name: 'Vera', role: 'guest', permissions: ['audit:view'] },
    { name: 'Gus', role: 'guest' },
  ]);
  const { url, token, find, signIn } = service;
  const [ann, vera] = [await find('Ann'), await find('Vera')];
  const body = { name: '=Anna', role: 'admin' };
  await send(`${url}/api/users/${ann.id}`, { method: 'PUT', token, body });
  const own = await signIn('ann@example.com');
  const made = await send(`${url}/api/documents`, {
    method: 'POST',
    token: own,
    body: { title: 'Plan', content: 'x' },
  });
  await send(`${url}/api/documents/${made.body.data.id}/share`, {
    method: 'POST',
    token: own,
    body: { userIds: [vera.id] },
  });
  return { ...service, ann, vera };
};
