import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { contents, email, look, start, tab, titles, unread } from '../flows/notifications.ts';

describe.skipIf(!hasBrowser)('notifications in a browser', () => {
  it('that fail to be marked come back as unread, and loading can be tried again', async () => {
    const { open, write } = await start();
    await write('One');
    const { page } = await open(email, '/notifications');
    await expect.poll(() => unread(page)).toBe(1);
    await page.route('**/api/notifications?*', (route) => route.abort());
    await page.route('**/read', (route) => route.abort());
    await page.locator('#notifications').getByRole('button', { name: 'Mark as read' }).click();
    await page.getByText('Couldn’t mark as read.').waitFor();
    await expect.poll(() => unread(page)).toBe(1);
    await tab(page, 'Messages').click();
    const again = page.locator('#notifications').getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/notifications?*');
    await again.click();
    await expect.poll(() => contents(page)).toEqual(['One']);
    // What arrived while the browser was offline is there once it isn’t.
    await page.context().setOffline(true);
    await write('Two');
    await page.context().setOffline(false);
    await expect.poll(() => contents(page)).toEqual(['Two', 'One']);
  });

  it('are chosen by topic in the settings', async () => {
    const { open, write } = await start();
    const { page, complaints } = await open(email, '/notifications');
    await page.getByText('No notifications yet').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    const drawer = page.getByRole('dialog', { name: 'Notification settings' });
    const toggle = (name: string) => drawer.getByRole('checkbox', { name, exact: true });
    await toggle('Messages: Bell').click();
    await inspect(page, 'notification settings');
    await expect.poll(() => toggle('Password, email and API tokens: Bell').isDisabled()).toBe(true);
    await expect.poll(() => toggle('Reports: Bell').count()).toBe(0);
    await page.reload();
    await expect.poll(() => toggle('Messages: Bell').isChecked()).toBe(false);
    await expect.poll(() => toggle('Reminders: Email').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await write('Unheard');
    await look(page);
    await page.getByText('No notifications yet').waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await toggle('Messages: Bell').waitFor();
    await page.context().setOffline(true);
    await toggle('Messages: Bell').click();
    await page.getByText('Couldn’t save.').waitFor();
    await expect.poll(() => toggle('Messages: Bell').isChecked()).toBe(false);
    expect(complaints.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

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
    await expect.poll(titlesNow).toContain('Ann shared a document with you');
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
    await page.getByRole('button', { name: 'Delete: Ann sent you a message' }).first().click();
    await expect.poll(() => contents(page)).toEqual(['One']);
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => unread(page)).toBe(0);
    await page.reload();
    await page.getByText('You’re all caught up').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => contents(page)).toEqual(['“Plans”', 'Two', 'One']);
    expect(complaints).toEqual([]);
  });
});
