import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, field, openShare, phone, start } from '../flows/directory.ts';

describe.skipIf(!hasBrowser)('people in a browser', () => {
  it('are found by name where members find each other', async () => {
    const { open, document } = await start('members');
    const { page, complaints } = await open(ann, document, phone);
    const dialog = await openShare(page);
    await dialog.getByPlaceholder('Name or email').fill('bo');
    await dialog.getByRole('option', { name: 'Bob' }).waitFor();
    await inspect(page, 'people-share');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText('Shared with Bob').waitFor();
    for (const path of ['/messages?new=true', '/calendar?new=event']) {
      await page.goto(new URL(path, page.url()).href);
      await field(page).fill('bo');
      await page.getByRole('option', { name: 'Bob' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Remove Bob' }).waitFor();
      await inspect(page, `people of ${path}`);
    }
    expect(complaints).toEqual([]);
  });

  it('are said not to be found where a text is no address of theirs, or nobody is found', async () => {
    const exact = await start('exact');
    const { page } = await exact.open(ann, exact.document, phone);
    const dialog = await openShare(page);
    await dialog.getByText(/Names can’t be searched here/).waitFor();
    await dialog.getByRole('combobox', { name: 'Add people' }).fill('nobody@');
    await dialog.getByText('Enter the whole email address.').waitFor();
    await dialog.getByRole('combobox', { name: 'Add people' }).fill('nobody@example.com');
    await dialog.getByText('No active user has this email address.').first().waitFor();
    await dialog.getByRole('combobox', { name: 'Add people' }).fill(ann);
    await dialog.getByRole('option', { name: 'You', disabled: true }).waitFor();

    const off = await start('off');
    const { page: other } = await off.open(ann, off.document, phone);
    const closed = await openShare(other);
    await closed.getByText(/Finding people is turned off/).waitFor();
    await expect.poll(() => closed.getByRole('combobox', { name: 'Add people' }).count()).toBe(0);
    await inspect(other, 'people-share-off');
    await other.goto(new URL('/calendar?new=event', other.url()).href);
    await other.getByText(/Finding people is turned off/).waitFor();
    await other.goto(new URL('/messages?new=true', other.url()).href);
    await other.getByText(/Only people of your conversations are found/).waitFor();
  });
});
