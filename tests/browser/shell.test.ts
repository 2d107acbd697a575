import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import manifest from '../../functions/web/assets/built/manifest.json' with { type: 'json' };
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { person, signUp } from '../support/pages/composer-page.ts';
import { measureAsset } from '../support/pages/compressed-size.ts';
import { openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { admin, startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';

describe.skipIf(!hasBrowser)('the shell', () => {
  /** Waits for the shell's script. */
  const isStarted = (page: Page) => page.locator('.offline').waitFor({ state: 'attached' });

  /** Adds a search field to the page. */
  const addField = async (page: Page) => {
    await page.evaluate(`document.querySelector('main').append(Object.assign(
      document.createElement('input'), { type: 'search', ariaLabel: 'Filter' }))`);
    return page.getByLabel('Filter', { exact: true });
  };

  const start = async () => {
    const { url } = await startFreshService();
    const context = await openContext(browser);
    const token = await signUp(context, url);
    // The page of the shell with the least of its own: its reader, which takes seconds to start, is left out.
    await context.route('**/swagger-ui-bundle.js', (route) => route.fulfill({ body: '' }));
    const open = async () => {
      const opened = await openPage(context, `${url}/api/docs`);
      await isStarted(opened.page);
      return opened;
    };
    return { url, context, token, open };
  };

  /** Sends Ann a message from the administrator. */
  const sendMessage = async (url: string, token: string, subject: string) => {
    const { body } = await send(`${url}/api/auth/login`, { method: 'POST', body: admin });
    const me = await send(`${url}/api/auth/me`, { token });
    const sent = await send(`${url}/api/messages`, {
      method: 'POST',
      token: body.token,
      body: { recipients: [me.body.data.id], subject, content: 'Hello' },
    });
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
  };

  const palette = (page: Page) => page.getByRole('dialog', { name: 'Search or jump to' });
  const selected = (page: Page) => palette(page).locator('[aria-selected=true]');
  const inbox = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
  const bell = (page: Page) => page.locator('#bell');

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
    expect(await selected(page).innerText()).toContain('Create share');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await palette(page).getByRole('option').nth(1).getAttribute('aria-selected')).toBe(
      'true',
    );
    expect(await palette(page).getByRole('option', { name: 'Invite user' }).count()).toBe(0);
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
    // The pages of shares have no view transitions.
    expect(complaints.filter((text) => !text.includes('ViewTransition'))).toEqual([]);
  });

  it('says which part of a page didn’t load, and loads it with the page again', async () => {
    const { url, context, open } = await start();
    await context.route('**/scripts/{palette,sessions}*', (route) => route.abort());
    const { page } = await open();
    const alert = page.getByRole('alert');
    await page.keyboard.press('Control+k');
    await alert.filter({ hasText: 'Search is unavailable.' }).waitFor();
    await page.goto(`${url}/account?tab=sessions`);
    await alert.filter({ hasText: 'Couldn’t load this part.' }).waitFor();
    const heading = page.getByRole('heading', { name: 'Sessions', exact: true });
    expect(await heading.count()).toBe(0);
    await context.unroute('**/scripts/{palette,sessions}*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await heading.waitFor();
    await page.keyboard.press('Control+k');
    await palette(page).getByRole('combobox').waitFor();
  });

  it('shows a message of another user with the next poll, and marks it as read', async () => {
    const { url, context, token, open } = await start();
    await context.clock.install();
    const { page, complaints } = await open();
    expect(await bell(page).getAttribute('aria-label')).toBe('Notifications');
    await sendMessage(url, token, 'Proofs');
    await sendMessage(url, token, 'More proofs');
    const polled = page.waitForResponse(`${url}/api/notifications/updates`);
    await page.clock.runFor(30_000);
    expect((await polled).status()).toBe(200);
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications, 2 unread');
    expect(await page.title()).toBe('(2) API reference · Handbill');
    const again = page.waitForResponse(`${url}/api/notifications/updates`);
    await page.clock.runFor(30_000);
    expect((await again).status()).toBe(304);

    await bell(page).click();
    const newest = inbox(page).getByRole('listitem').filter({ hasText: 'More proofs' });
    await newest.waitFor();
    expect(await newest.getByRole('link').getAttribute('href')).toMatch(/^\/messages\?open=\d+$/);
    const marks = inbox(page).getByRole('button', { name: 'Mark as read: New message' });
    await marks.first().click();
    await expect.poll(() => marks.count()).toBe(1);
    expect(await bell(page).getAttribute('aria-label')).toBe('Notifications, 1 unread');
    await inbox(page).getByRole('button', { name: 'Unread' }).click();
    await expect.poll(() => inbox(page).getByRole('listitem').count()).toBe(1);
    await inbox(page).getByRole('button', { name: 'Mark all as read' }).click();
    await expect.poll(() => bell(page).getAttribute('aria-label')).toBe('Notifications');
    expect(await page.title()).toBe('API reference · Handbill');
    const reloaded = await open();
    expect(await bell(reloaded.page).getAttribute('aria-label')).toBe('Notifications');
    expect(complaints).toEqual([]);
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
    expect(await bell(page).getAttribute('aria-label')).toBe('Notifications, 1 unread');
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

  it('keeps the theme without a flash, and signs out', async () => {
    const { url, open } = await start();
    const { page, complaints } = await open();
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'Dark' }).first().click();
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    const response = await page.reload();
    expect(await response?.text()).toContain('<html lang="en" data-theme="dark"');
    await isStarted(page);
    await page.locator('.me').click();
    await page.getByRole('button', { name: 'System' }).first().click();
    expect(await (await page.reload())?.text()).toContain('<html lang="en">');
    await isStarted(page);
    await page.locator('.me').click();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Account');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url}/login`);
    expect(complaints).toEqual([]);
  });

  it('has single keys, never in fields, that can be turned off', async () => {
    const { url, open } = await start();
    const { page } = await open();
    const field = await addField(page);
    await page.keyboard.press('/');
    await page.keyboard.type('n?c');
    expect(await inbox(page).isVisible()).toBe(false);
    expect(await field.inputValue()).toBe('n?c');
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
    expect(await inbox(page).isVisible()).toBe(false);
    expect(page.url()).toBe(`${url}/api/docs`);
    await page.locator('.me').click();
    await page.locator('#show-keys').click();
    await keys.getByLabel('Single-key shortcuts').check();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(`${url}/shares`);
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
    expect(await dialog.getByLabel('Email').inputValue()).toBe(person.email);
    await dialog.getByLabel('Password').fill('wrong password');
    await page.keyboard.press('Enter');
    await dialog.getByText('Incorrect email or password.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Password').fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('1 day in a row').waitFor();
    expect(await field.inputValue()).toBe('half written');
  });

  it('says that the page is offline', async () => {
    const { context, open } = await start();
    const { page } = await open();
    const notice = page.getByText('You’re offline.');
    await context.setOffline(true);
    await notice.waitFor();
    await context.setOffline(false);
    await notice.waitFor({ state: 'hidden' });
  });

  /** Opens each overlay of the shell. */
  const overlays: Readonly<
    Record<string, readonly [within: string, open: (page: Page) => Promise<unknown>]>
  > = {
    palette: ['#palette', (page) => page.keyboard.press('Control+k')],
    notifications: ['#inbox', (page) => bell(page).click()],
    shortcuts: ['#keys', (page) => page.keyboard.press('?')],
  };

  const checkOverlays = async (page: Page, where: string) => {
    for (const [name, [within, show]] of Object.entries(overlays)) {
      await show(page);
      await page.locator(within).waitFor();
      await page.locator(`${within} :is([role=option], li, dt)`).first().waitFor();
      // Opacity and scale end with the transition.
      await page.evaluate(
        `Promise.allSettled(document.getAnimations().map((one) => one.finished))`,
      );
      expect(await findViolations(page), `${name}, ${where}`).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        page.viewportSize()?.width ?? 0,
      );
      await page.keyboard.press('Escape');
    }
  };

  it('is accessible with each overlay, in light, dark and on phones', async () => {
    const { url, token, open } = await start();
    await sendMessage(url, token, 'Proofs');
    const { page } = await open();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 800 });
        await checkOverlays(page, `${colorScheme}, ${width}`);
      }
    }
  });

  it('has a script of at most 7 KB', async () => {
    expect(await measureAsset(manifest['shell.js'].path)).toBeLessThanOrEqual(7 * 1_024);
  });
});
