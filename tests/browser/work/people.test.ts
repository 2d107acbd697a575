// Finding a person to share with, write to or invite, as services do without the setting `DIRECTORY`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { ann, field, openShare, phone, start } from '../flows/directory.ts';

describe.skipIf(!hasBrowser)('people in a browser', () => {
  it('are shared with, written to and invited by their addresses alone', async () => {
    const { open, get, document, readers } = await start('exact');
    const { page, complaints } = await open(ann, document, phone);
    const bob = 'bob@example.com';
    const pick = async () => {
      await page.getByRole('option', { name: new RegExp(bob) }).waitFor();
      await page.keyboard.press('Enter');
    };
    const dialog = await openShare(page);
    await dialog.getByPlaceholder('Whole email address').fill('Bob@example.com');
    await pick();
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText(`Shared with ${bob}`).waitFor();
    await dialog.getByLabel('What Bob can do').waitFor();
    expect(await get(readers)).toMatchObject([{ name: 'Bob' }]);

    await page.goto(new URL('/messages?new=true', page.url()).href);
    await field(page).fill(bob);
    await pick();
    await page.getByLabel('Message', { exact: true }).fill('Hello');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Message sent').waitFor();
    await page.getByText('You and Bob').waitFor();

    await page.goto(new URL('/calendar?new=event', page.url()).href);
    await page.getByLabel('Title', { exact: true }).fill('Talk');
    await field(page).fill(bob);
    await pick();
    await page.getByRole('button', { name: 'Create event' }).click();
    await page.getByText('Event created').waitFor();
    expect(complaints).toEqual([]);
  });
});
