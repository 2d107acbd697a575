import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../../support/pages/browser.ts';
import { openOptions, read } from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { send, startProcess, temporaryFolder } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('your own shares in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  /** Creates these shares and opens the list, signed in. */
  const open = async (shares: readonly object[], path = '/shares') => {
    const { url } = await startProcess({ DATA_DIR: await temporaryFolder() });
    const context = await openContext(browser, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const password = 'correct horse';
    const registered = await context.request.post(`${url}/api/auth/register`, {
      data: { email: 'ann@example.com', name: 'Ann', password, confirmPassword: password },
      headers: { origin: url },
    });
    const { token } = await registered.json();
    const made: { id: string; url: string }[] = [];
    for (const body of shares) {
      const { body: share } = await send(`${url}/api/share`, { method: 'POST', token, body });
      made.push(share);
    }
    return { url, token, made, context, ...(await openPage(context, url + path)) };
  };

  const items = (page: Page) => page.locator('#shares > li');
  const names = (page: Page) => page.locator('#shares .name a').allInnerTexts();

  it('are listed with all details, found, copied, and deleted after confirmation', {
    timeout: 120_000,
  }, async () => {
    const { page, url, made, token, complaints, origins } = await open([
      { content: '<p>1</p>', title: 'Trip to Rome', description: 'Where we were', viewLimit: 5 },
      { content: '# Two', language: 'markdown', password: 'Abc123', expiresIn: 86_400 },
      { content: '<p>3</p>', title: 'Plans & <b>more</b>' },
    ]);
    await items(page).nth(2).waitFor();
    expect(await names(page)).toEqual(['Plans & <b>more</b>', 'Untitled Markdown', 'Trip to Rome']);
    const about = await page.locator('#shares .about').allInnerTexts();
    expect(about[0]).toMatch(/^HTML · Created \w{3} \d+, \d{4} · 0 views$/);
    expect(about[1]).toMatch(/^Markdown · Created .* · 0 views · Expires .*\d:\d\d [AP]M$/);
    expect(about[2]).toContain('5 of 5 views left');
    expect(await items(page).nth(1).getByText('Password-protected').isVisible()).toBe(true);
    await inspect(page, 'shares');

    await page.getByLabel('Search', { exact: true }).fill('ROME where');
    await expect.poll(() => names(page)).toEqual(['Trip to Rome']);
    await page.getByLabel('Search', { exact: true }).fill('nothing');
    await page.getByText('No shares match your search.').waitFor();
    await inspect(page, 'shares-no-match');
    await page.getByLabel('Search', { exact: true }).fill('');

    await page.getByRole('button', { name: 'Copy link: Trip to Rome' }).click();
    await page.getByText('Link to “Trip to Rome” copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(made[0]?.url);

    const remove = page.getByRole('button', { name: 'Delete: Trip to Rome' });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete this share?' });
    await dialog.getByText('“Trip to Rome”').waitFor();
    await inspect(page, 'shares-delete');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Escape');
    expect(await dialog.isVisible()).toBe(false);
    await remove.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await items(page).count()).toBe(3);
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted “Trip to Rome”').waitFor();
    expect(await page.evaluate('document.activeElement.id')).toBe('shares-title');
    expect(await names(page)).toEqual(['Plans & <b>more</b>', 'Untitled Markdown']);
    const { body } = await send(`${url}/api/share?mine=true`, { token });
    expect(body.total).toBe(2);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('are edited in the composer, which keeps untouched fields and counted views', {
    timeout: 120_000,
  }, async () => {
    const { page, url, made, token } = await open([
      {
        content: '# Before',
        language: 'markdown',
        title: 'A note',
        password: 'Abc123',
        viewLimit: 5,
        expiresIn: 86_400,
      },
    ]);
    const id = made[0]?.id ?? '';
    const own = async () => (await send(`${url}/api/share?mine=true&id=${id}`, { token })).body;
    const before = await own();
    await page.getByRole('link', { name: 'Edit: A note' }).click();
    const text = page.getByLabel('Content', { exact: true });
    await page.getByText('You’re editing a share.').waitFor();
    await page.locator('#preview h1').filter({ hasText: 'Before' }).waitFor();
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('keep');
    expect(await page.getByLabel('Expiration').inputValue()).toBe('keep');
    await inspect(page, 'edit');
    await text.fill('# After');
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('After');
    await page.reload();
    await page.getByText('Draft restored.').waitFor();
    expect(await read(page)).toBe('# After');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    const after = await own();
    expect(after).toMatchObject({
      content: '# After',
      title: 'A note',
      protected: true,
      viewLimit: 5,
      expiresAt: before.expiresAt,
      url: before.url,
    });

    // A concurrent change is not overwritten.
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByText('You’re editing a share.').waitFor();
    await send(`${url}/api/share/${id}`, { method: 'PUT', token, body: { title: 'Another' } });
    await text.fill('# Late');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved: this share changed after you opened it.').waitFor();
    expect((await own()).content).toBe('# After');
    await page.reload();
    await page.getByRole('button', { name: 'Restore my draft' }).click();
    await openOptions(page);
    await page.getByLabel('Password', { exact: true }).selectOption('None');
    await page.getByLabel('Expiration').selectOption('Never');
    await page.getByLabel('View limit').fill('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
    expect(await own()).toMatchObject({
      content: '# Late',
      protected: false,
      viewLimit: null,
      expiresAt: null,
    });
  });

  it('cannot be edited by others or after their end', { timeout: 120_000 }, async () => {
    const { page, url, made } = await open([{ content: '<p>Once</p>', viewLimit: 1 }]);
    const id = made[0]?.id ?? '';
    await page.goto(`${url}/?edit=${'x'.repeat(22)}`);
    await page.getByText('Share not found.').waitFor();
    await send(`${url}/api/share?id=${id}`);
    await page.goto(`${url}/?edit=${id}`);
    await page.getByText('This share has ended and can’t be edited.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false);
    expect(await page.getByRole('link', { name: 'Back to my shares' }).isVisible()).toBe(true);
    await inspect(page, 'edit-ended');
    await page.goto(`${url}/shares`);
    await items(page).getByText('Ended').waitFor();
    expect(await page.getByRole('link', { name: /^Edit/ }).count()).toBe(0);
    const stranger = await openPage(await openContext(browser), `${url}/?edit=${id}`);
    await stranger.page.waitForURL(`${url}/login?next=/%3Fedit%3D${id}`);
  });

  it('are loaded page by page, while a search includes all', { timeout: 120_000 }, async () => {
    const shares = Array.from({ length: 103 }, (_, at) => ({ content: 'x', title: `Share ${at}` }));
    const { page } = await open(shares);
    await items(page).nth(99).waitFor();
    expect(await items(page).count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).dblclick();
    await items(page).nth(102).waitFor();
    expect(await items(page).count()).toBe(103);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Share 2');
    expect(await page.getByRole('button', { name: 'Show more' }).isVisible()).toBe(false);
    await page.reload();
    await items(page).nth(99).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('share 2');
    await expect.poll(() => names(page)).toContain('Share 2');
    expect(await items(page).count()).toBe(20);
  });

  it('appear beside the daily check-in and require signing in', {
    timeout: 120_000,
  }, async () => {
    const { page, url, context } = await open([]);
    await page.getByText('You haven’t shared anything yet.').waitFor();
    expect(await page.getByLabel('Search', { exact: true }).isVisible()).toBe(false);
    await inspect(page, 'shares-none');
    await page.locator('#check-in').dblclick();
    await page.getByText(/^\d\d points earned/).waitFor();
    await page.getByText('1 day in a row').waitFor();
    expect(await page.getByRole('alert').filter({ visible: true, hasText: /./ }).count()).toBe(0);
    await context.clearCookies();
    await page.goto(`${url}/shares`);
    await page.waitForURL(`${url}/login?next=/shares`);
  });
});
