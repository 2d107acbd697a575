import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { contents, email, look, start, unread } from '../flows/notifications.ts';

describe.skipIf(!hasBrowser)('notifications in a browser', () => {
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
