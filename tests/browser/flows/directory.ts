import type { Page } from 'playwright-core';
import { startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

export const ann = 'ann@example.com';

const permissions = ['documents:*', 'messages:*', 'calendar:*'];

export const phone = { width: 390, height: 664 };

/** Starts a service in which nobody may view users, with a document of Ann's. */
export const start = async (directory: 'members' | 'exact' | 'off') => {
  const service = await startConsole(
    browser,
    [
      { name: 'Ann', permissions },
      { name: 'Bob', permissions },
    ],
    // Without the setting, people are found by their addresses.
    () => startFreshService(directory === 'exact' ? {} : { DIRECTORY: directory }),
  );
  const token = await service.signIn(ann);
  const get = async (path: string) => (await send(service.url + path, { token })).body.data;
  const made = await send(`${service.url}/api/documents`, {
    method: 'POST',
    token,
    body: { title: 'Plan' },
  });
  const { id } = made.body.data;
  return {
    ...service,
    get,
    document: `/documents/${id}`,
    readers: `/api/documents/${id}/readers`,
  };
};

/** The field that finds people. */
export const field = (page: Page) => page.getByRole('combobox', { name: /^(People|To)$/ });

/** Opens the dialog that shares the document. */
export const openShare = async (page: Page) => {
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  return page.getByRole('dialog', { name: 'Share “Plan”' });
};
