// What surrounds every page, while requests fail, the page is hidden or the browser is offline.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { addField, bell, inbox, isStarted, palette, sendMessage, start } from './flows/shell.ts';

describe.skipIf(!hasBrowser)('the shell', () => {
  it('says which part of a page didn’t load, and loads it with the page again', async () => {
    const { url, context, open } = await start();
    await context.route('**/scripts/{shell,account}-late*', (route) => route.abort());
    const { page } = await open();
    const alert = page.getByRole('alert');
    await page.keyboard.press('Control+k');
    await alert.filter({ hasText: 'Search is unavailable.' }).waitFor();
    await page.goto(`${url}/account?tab=security`);
    await alert.filter({ hasText: 'Couldn’t load this part.' }).waitFor();
    const heading = page.getByRole('heading', { name: 'Sessions', exact: true });
    await expect.poll(() => heading.count()).toBe(0);
    await context.unroute('**/scripts/{shell,account}-late*');
    await alert.getByRole('button', { name: 'Reload' }).click();
    await heading.waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').waitFor();
  });

  it('puts back what could not be marked as read, and tries again', async () => {
    const { url, token, open } = await start();
    await sendMessage(url, token, 'Proofs');
    const { page } = await open();
    await page.route('**/read-all', (route) => route.fulfill({ status: 500, body: '{}' }));
    await bell(page).click();
    await inbox(page).getByRole('listitem').filter({ hasText: 'Proofs' }).waitFor();
    await inbox(page).getByRole('button', { name: 'Mark all as read' }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'Couldn’t mark as read.' });
    await alert.waitFor();
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 1 new');
    await page.unroute('**/read-all');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications');
  });

  it('stops asking while the page is hidden, and asks at once when it is visible', async () => {
    const { url, context, open } = await start();
    await context.clock.install();
    const { page } = await open();
    let polls = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/updates')) polls++;
    });
    const setHidden = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await setHidden(true);
    await page.clock.runFor(120_000);
    expect(polls).toBe(0);
    const polled = page.waitForResponse(`${url}/api/notifications/updates`);
    await setHidden(false);
    await polled;
    expect(polls).toBe(1);
  });

  it('says that the page is offline', async () => {
    const { context, open } = await start();
    const { page } = await open();
    const badge = page.locator('#bar').getByText('Offline');
    await context.setOffline(true);
    await badge.waitFor();
    await context.setOffline(false);
    await badge.waitFor({ state: 'hidden' });
  });

  it('keeps the theme without a flash, and signs out', async () => {
    const { url, open } = await start();
    const { page, complaints } = await open();
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'Dark' }).first().click();
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    const response = await page.reload();
    expect(await response?.text()).toContain('<html lang="en" data-theme="dark"');
    await isStarted(page);
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'System' }).first().click();
    expect(await (await page.reload())?.text()).not.toMatch(/<html[^>]* data-theme=/);
    await isStarted(page);
    await page.locator('.me').click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Account');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/login?why=out`);
    expect(complaints).toEqual([]);
  });

  it('has single keys, never in fields, that can be turned off', async () => {
    const { url, open } = await start();
    const { page } = await open();
    const field = await addField(page);
    await page.keyboard.press('/');
    await page.keyboard.type('n?c');
    await expect.poll(() => inbox(page).isVisible()).toBe(false);
    await expect.poll(() => field.inputValue()).toBe('n?c');
    await page.locator('main').focus();
    await page.keyboard.press('n');
    await inbox(page).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await keys.getByLabel('Single-key shortcuts').uncheck();
    await keys.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await isStarted(page);
    await page.keyboard.press('n');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await expect.poll(() => inbox(page).isVisible()).toBe(false);
    expect(page.url()).toBe(`${url}/notifications`);
    await page.locator('.me').click();
    await page.locator('#show-keys').click();
    await keys.getByLabel('Single-key shortcuts').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`${url}/shares`);
  });

  it('lists what keys do on this page, with Ctrl', async () => {
    const { url, open } = await start();
    const { page } = await open();
    const list = async (path: string, wanted: string) => {
      await page.goto(`${url}${path}`);
      await isStarted(page);
      const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
      // The page adds its keys when it starts, which may be after the shell.
      const countOfPage = async () => {
        await page.keyboard.press('Escape');
        await page.keyboard.press('?');
        await keys.waitFor();
        return keys.getByText('On this page').count();
      };
      await expect.poll(countOfPage, { message: path }).toBe(1);
      await expect
        .poll(() => keys.locator('section').first().innerText(), { message: path })
        .toMatch(wanted);
      expect(await keys.locator('section').nth(1).innerText()).toMatch(/Ctrl\s*K/);
    };
    await list('/messages', 'Reply all');
    await list('/calendar', 'Next period');
    await list('/notifications', 'Mark as read');
    await page.keyboard.press('Escape');
    expect(await page.locator('.jump kbd').innerText()).toBe('Ctrl K');
  });
});
