// What surrounds every page: search, notifications, themes, keys, and signing in again.

import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { person, signUp } from '../support/pages/composer-page.ts';
import { openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';
import { addField, bell, inbox, palette, selected, sendMessage, start } from './flows/shell.ts';

describe.skipIf(!hasBrowser)('the shell', () => {
  it('finds pages, actions and own shares by keyboard only', async () => {
    const { url, token, open } = await start();
    const share = { content: '<p>Hi</p>', title: 'Minutes of May' };
    const shared = await send(`${url}/api/share`, { method: 'POST', token, body: share });
    const { page, complaints } = await open();
    const openPalette = async () => {
      await page.keyboard.press('Control+k');
      await expect.poll(() => page.evaluate('document.activeElement.role')).toBe('combobox');
    };
    await openPalette();
    await expect.poll(() => selected(page).innerText()).toContain('New share');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => palette(page).getByRole('option').nth(1).getAttribute('aria-selected'))
      .toBe('true');
    await expect
      .poll(() => palette(page).getByRole('option', { name: 'Invite user' }).count())
      .toBe(0);
    await page.keyboard.type('nothing like this');
    await palette(page).getByText('No results for “nothing like this”').waitFor();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('min MAY');
    await palette(page).getByRole('option', { name: 'Minutes of May' }).waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
    await openPalette();
    await page.keyboard.type('minutes');
    await palette(page).getByRole('option', { name: 'Minutes of May' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(shared.body.url);
    expect(complaints).toEqual([]);
  });

  it('leaves for pages outside it, also twice at once, without an error on the console', async () => {
    const { url } = await startFreshService();
    // Pages move, which their change may interrupt.
    const context = await openContext(browser, { reducedMotion: 'no-preference' });
    const token = await signUp(context, url);
    const share = { content: '<p>Hi</p>', title: 'Minutes of May' };
    const shared = await send(`${url}/api/share`, { method: 'POST', token, body: share });
    const { page, complaints } = await openPage(context, `${url}/shares`);
    // Without the cache, the files of a page are there later than its text.
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.setCacheDisabled', { cacheDisabled: true });
    const paths = [
      shared.body.url,
      '/api/health',
      '/api/docs',
      '/forgot',
      '/nowhere',
      '/moderation',
    ];
    for (const path of paths) {
      await page.goto(`${url}/shares`);
      await page.evaluate(`location.assign('/documents')`);
      await page.waitForURL('**/documents');
      await page.evaluate(`location.assign('${path}')`);
      await page.waitForURL((now) => now.href.endsWith(path));
      await page.goBack();
    }
    expect(complaints).toEqual([]);
  });

  it('shows a message of another user with the next poll, and marks it as read', async () => {
    const { url, context, token, open } = await start();
    await context.clock.install();
    const { page, complaints } = await open();
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications');
    await sendMessage(url, token, 'Proofs');
    await sendMessage(url, token, 'More proofs');
    const polled = page.waitForResponse(`${url}/api/notifications/updates`);
    await page.clock.runFor(30_000);
    await expect.poll(async () => (await polled).status()).toBe(200);
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 2 new');
    expect(await bell(page).innerText()).toBe('2');
    expect(await page.title()).toBe('(2) Notifications · Handbill');
    const again = page.waitForResponse(`${url}/api/notifications/updates`);
    await page.clock.runFor(30_000);
    await expect.poll(async () => (await again).status()).toBe(304);

    await bell(page).click();
    const newest = inbox(page).getByRole('listitem').filter({ hasText: 'More proofs' });
    await newest.waitFor();
    await expect
      .poll(() => newest.getByRole('link').getAttribute('href'))
      .toMatch(/^\/messages\?open=\d+$/);
    const marks = inbox(page).getByRole('button', {
      name: /^Mark as read: .+ sent you a message$/,
    });
    await marks.first().click();
    await expect.poll(() => marks.count()).toBe(1);
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 1 new');
    await inbox(page).getByRole('button', { name: 'Unread' }).click();
    await expect.poll(() => inbox(page).getByRole('listitem').count()).toBe(1);
    await inbox(page).getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications');
    expect(await page.title()).toBe('Notifications · Handbill');
    const reloaded = await open();
    await expect.poll(() => bell(reloaded.page).getAttribute('aria-label')).toBe('Notifications');
    expect(complaints).toEqual([]);
  });

  it('lets the user sign in over the page, which loses nothing', async () => {
    const { context, open } = await start();
    const { page } = await open();
    const field = await addField(page);
    await field.fill('half written');
    await context.clearCookies();
    await page.locator('#check-in').click();
    const dialog = page.getByRole('dialog', { name: 'Sign in again' });
    await dialog.waitFor();
    await expect.poll(() => dialog.getByLabel('Email').inputValue()).toBe(person.email);
    await dialog.getByLabel('Password').fill('wrong password');
    await page.keyboard.press('Enter');
    await dialog.getByText('Incorrect email or password.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Password').fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('1 day in a row').waitFor();
    await expect.poll(() => field.inputValue()).toBe('half written');
  });
});
