// Finding a person to share with, write to or invite, as the setting `DIRECTORY` allows it.

import { describe, expect, it } from 'vitest';
import { ann, field, openShare, phone, start } from '../../support/flows/people.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';

describe.skipIf(!hasBrowser)('people in a browser', () => {
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
});
