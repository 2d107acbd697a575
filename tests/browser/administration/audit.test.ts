import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the audit log in a browser', () => {
  const rows = (page: Page) => page.locator('#audit tbody tr');
  const changes = (page: Page) => page.locator('#audit td.m a').allInnerTexts();
  const drawer = (page: Page) => page.locator('dialog.drawer[open]');

  /** Starts a service in which a user was changed, and a document shared. */
  const start = async () => {
    const service = await startConsole(browser, [
      { name: 'Ann', role: 'user', permissions: ['documents:create', 'documents:update'] },
      { name: 'Vera', role: 'guest', permissions: ['audit:view'] },
      { name: 'Gus', role: 'guest' },
    ]);
    const { url, token, find, signIn } = service;
    const [ann, vera] = [await find('Ann'), await find('Vera')];
    const body = { name: '=Anna', role: 'admin' };
    await send(`${url}/api/users/${ann.id}`, { method: 'PUT', token, body });
    const own = await signIn('ann@example.com');
    const made = await send(`${url}/api/documents`, {
      method: 'POST',
      token: own,
      body: { title: 'Plan', content: 'x' },
    });
    await send(`${url}/api/documents/${made.body.data.id}/share`, {
      method: 'POST',
      token: own,
      body: { userIds: [vera.id] },
    });
    return { ...service, ann, vera };
  };

  it('filters by action, user, subject and time, all in the address', async () => {
    const { open, ann } = await start();
    const { page, complaints } = await open(root, '/audit');
    await expect.poll(async () => (await changes(page))[0]).toBe('Signed in');
    expect(await changes(page)).toContain('Document shared');
    await inspect(page, 'audit');

    await page.getByLabel('Change', { exact: true }).selectOption('User changed');
    await expect.poll(() => changes(page)).toEqual(['User changed']);
    expect(new URL(page.url()).searchParams.get('action')).toBe('user.update');
    await page.reload();
    await expect.poll(() => changes(page)).toEqual(['User changed']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await changes(page)).length).toBeGreaterThan(5);

    await page.getByRole('button', { name: 'Anyone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a user' });
    await dialog.getByRole('searchbox').fill('nobody at all');
    await dialog.getByText('No users match your search.').waitFor();
    await dialog.getByRole('searchbox').fill('=Anna');
    await dialog.getByRole('button', { name: /=Anna/ }).click();
    await expect
      .poll(() => changes(page))
      .toEqual(['Document shared', 'Document created', 'Signed in']);
    expect(new URL(page.url()).searchParams.get('actor')).toBe(String(ann.id));
    await page.getByRole('button', { name: 'By =Anna' }).click();

    await page.getByLabel('From').fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await page.getByText('No entries match your filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect.poll(async () => (await changes(page)).length).toBeGreaterThan(5);
    expect(complaints).toEqual([]);
  });

  it('shows what changed before and after, with names and links', async () => {
    const { open, ann } = await start();
    const { page, complaints } = await open(root, `/audit?subject=user:${ann.id}`);
    await page.getByRole('link', { name: 'User changed' }).click();
    const field = (name: string) => drawer(page).getByRole('row', { name });
    await field('Role').waitFor();
    expect(await field('Role').locator('td').allInnerTexts()).toEqual(['User', 'Admin']);
    expect(await field('Name').locator('td').allInnerTexts()).toEqual(['Ann', '=Anna']);
    await inspect(page, 'audit-entry');
    const link = drawer(page).getByRole('link', { name: '=Anna' });
    expect(await link.getAttribute('href')).toBe(`/users?open=${ann.id}`);
    // The address alone shows the entry, whatever the list shows.
    const { searchParams } = new URL(page.url());
    await page.goto(`${new URL(page.url()).origin}/audit?open=${searchParams.get('open')}`);
    await field('Role').waitFor();
    await drawer(page).getByRole('button', { name: 'Only about this subject' }).click();
    await expect.poll(() => changes(page)).toEqual(['Signed in', 'User changed', 'User created']);

    await page.goto(`${new URL(page.url()).origin}/audit?action=document.share`);
    await page.getByRole('link', { name: 'Document shared' }).click();
    await expect
      .poll(() => field('Shared with').locator('td').allInnerTexts())
      .toEqual(['None', 'Vera']);
    expect(complaints).toEqual([]);
  });

  it('works by keyboard, on phones and with only the permission', async () => {
    const { open } = await start();
    const { page, complaints } = await open('vera@example.com', '/audit', {
      width: 390,
      height: 844,
    });
    await rows(page).first().waitFor();
    expect(await page.getByRole('button', { name: 'Anyone' }).count()).toBe(0);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'What changed' }).waitFor();
    expect(await drawer(page).locator('dd a').count()).toBe(0);
    await inspect(page, 'audit-phone');
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer(page).count()).toBe(0);
    await expect
      .poll(() => page.evaluate('document.activeElement.closest("tr")?.rowIndex'))
      .toBe(2);
    expect(complaints).toEqual([]);
    const { page: denied } = await open('gus@example.com', '/audit');
    await denied.getByRole('heading', { name: 'No access' }).waitFor();
    expect(await denied.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  });

  it('saves the listed entries as CSV, in which nothing is a formula', async () => {
    const { open } = await start();
    const { page } = await open(root, '/audit?action=user.update');
    await rows(page).first().waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^audit-log-\d{4}-\d\d-\d\d\.csv$/);
    const lines = (await readFile(await saved.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe(
      '\uFEFFat,action,change,actorId,actor,tokenId,token,subject,subjectName,address,requestId,before,after',
    );
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain(',user.update,User changed,');
    expect(lines[1]).toContain(",'=Anna,");
    expect(lines[1]).toContain('"{""name"":""=Anna"",""role"":""admin"",');
    await page.getByText('Saved 1 entry').waitFor();
  });

  it('says why it can’t list, and tries again', async () => {
    const { open, url } = await start();
    const { page } = await open(root, '/users');
    await page.route('**/api/audit?*', (route) =>
      route.fulfill({ status: 503, json: { error: { message: 'Busy. Try again.' } } }),
    );
    await page.goto(`${url}/audit`);
    await page.getByText('Busy. Try again.').waitFor();
    await page.unroute('**/api/audit?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Change', { exact: true }).selectOption('Sale recorded');
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No entries match your filters.').waitFor();
  });
});
