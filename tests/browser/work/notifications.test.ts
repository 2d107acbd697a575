import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { contents, email, look, start, tab, titles, unread } from '../flows/notifications.ts';

describe.skipIf(!hasBrowser)('notifications in a browser', () => {
  it('are listed by day and type, marked as read, and deleted with undo', async () => {
    const { open, write, shareDocument } = await start();
    for (const subject of ['One', 'Two', 'Three']) await write(subject);
    const id = await shareDocument('Plans');
    const { page, complaints } = await open(email, '/notifications');
    // A job tells of the document.
    const titlesNow = async () => {
      await look(page);
      return titles(page);
    };
    await expect.poll(titlesNow).toContain('A document was shared with you');
    await page.getByRole('heading', { name: 'Today' }).waitFor();

    await tab(page, 'Messages').last().click();
    await expect.poll(() => contents(page)).toEqual(['Three', 'Two', 'One']);
    expect(page.url()).toMatch(/\?show=message$/);
    await page.reload();
    await expect.poll(() => contents(page)).toEqual(['Three', 'Two', 'One']);

    // By keyboard: down, read, delete, undo.
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await expect.poll(() => unread(page)).toBe(2);
    await page.keyboard.press('Delete');
    await expect.poll(() => contents(page)).toEqual(['Three', 'One']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => contents(page)).toEqual(['Three', 'Two', 'One']);

    // By pointer: each leads to its page, and is read then.
    await tab(page, 'From people').click();
    await page.locator('#notifications a.entry').click();
    await page.waitForURL(`**/documents/${id}`);
    await page.goBack();
    await tab(page, /^Unread/).click();
    await expect.poll(async () => (await contents(page)).toSorted()).toEqual(['One', 'Three']);
    await page.getByRole('button', { name: 'Delete: New message' }).first().click();
    await expect.poll(() => contents(page)).toEqual(['One']);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => unread(page)).toBe(0);
    await page.reload();
    await page.getByText('You’re all caught up').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => contents(page)).toEqual(['“Plans”', 'Two', 'One']);
    expect(complaints).toEqual([]);
  });

  it('appear without reload, and the bell and the page agree', async () => {
    const { open, write } = await start();
    const { page, complaints } = await open(email, '/notifications');
    await page.getByText('No notifications yet').waitFor();
    await write('Now');
    await look(page);
    await expect.poll(() => contents(page)).toEqual(['Now']);
    await page.locator('#bell').click();
    const bell = page.locator('#inbox');
    await bell.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => unread(page)).toBe(0);
    await bell.getByRole('link', { name: 'Notifications page' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
