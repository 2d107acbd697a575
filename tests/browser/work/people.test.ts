import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startFreshService } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('people in a browser', () => {
  const ann = 'ann@example.com';
  const permissions = ['documents:*', 'messages:*', 'calendar:*'];
  const phone = { width: 390, height: 664 };

  /** Starts a service in which nobody may view users, with a document of Ann's. */
  const start = async (directory: 'members' | 'exact' | 'off') => {
    const service = await startConsole(
      browser,
      [
        { name: 'Ann', permissions },
        { name: 'Bob', permissions },
      ],
      () => startFreshService({ DIRECTORY: directory }),
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
  const field = (page: Page) => page.getByRole('searchbox', { name: /name|address/i });
  const openShare = async (page: Page) => {
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    return page.getByRole('dialog', { name: 'Share “Plan”' });
  };

  it.each([
    { directory: 'members', search: 'bo', label: 'Name or email', shown: 'Bob' },
    {
      directory: 'exact',
      search: 'Bob@example.com',
      label: 'Whole email address',
      shown: 'bob@example.com',
    },
  ] as const)(
    'are shared with, written to and invited without permission to view users: $directory',
    async ({ directory, search, label, shown }) => {
      const { open, get, document, readers } = await start(directory);
      const { page, complaints } = await open(ann, document, phone);
      const dialog = await openShare(page);
      await dialog.getByRole('searchbox', { name: label }).fill(search);
      const found = dialog.getByRole('button', { name: new RegExp(shown) });
      await found.waitFor();
      await inspect(page, `people-share-${directory}`);
      await found.press('Enter');
      await dialog.getByText(`Shared with ${shown}`).waitFor();
      await dialog.getByRole('button', { name: 'Stop sharing with Bob' }).waitFor();
      expect(await get(readers)).toMatchObject([{ name: 'Bob' }]);

      await page.goto(new URL('/messages?new=true', page.url()).href);
      await field(page).fill(search);
      await page.getByRole('button', { name: new RegExp(shown) }).press('Enter');
      await page.getByLabel('Message', { exact: true }).fill('Hello');
      await inspect(page, `people-message-${directory}`);
      await page.keyboard.press('Control+Enter');
      await page.getByText('Message sent').waitFor();
      await page.getByText('You and Bob').waitFor();

      await page.goto(new URL('/calendar?new=event', page.url()).href);
      await page.getByLabel('Title', { exact: true }).fill('Talk');
      await field(page).fill(search);
      await page.getByRole('button', { name: new RegExp(shown) }).press('Enter');
      await inspect(page, `people-event-${directory}`);
      await page.getByRole('button', { name: 'Create event' }).click();
      await page.getByText('Event created').waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('are said not to be found where a text is no address of theirs, or nobody is found', async () => {
    const exact = await start('exact');
    const { page } = await exact.open(ann, exact.document, phone);
    const dialog = await openShare(page);
    await dialog.getByText(/Names aren’t searched in this service/).waitFor();
    await dialog.getByRole('searchbox').fill('nobody@example.com');
    await dialog.getByText('No active user has this email address.').waitFor();
    await dialog.getByRole('searchbox').fill(ann);
    await dialog.getByText('Found, but already added, or it’s you.').waitFor();

    const off = await start('off');
    const { page: other } = await off.open(ann, off.document, phone);
    const closed = await openShare(other);
    await closed.getByText(/Finding people is turned off/).waitFor();
    expect(await closed.getByRole('searchbox').count()).toBe(0);
    await inspect(other, 'people-share-off');
    await other.goto(new URL('/calendar?new=event', other.url()).href);
    await other.getByText(/Finding people is turned off/).waitFor();
    await other.goto(new URL('/messages?new=true', other.url()).href);
    await other.getByText(/Only people of your conversations are found/).waitFor();
  });
});
