// What owners do with their shares, from the list and back to it. The routes are in `api/share/`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  newContext,
  openOptions,
  passwordMode,
  read,
} from '../../support/pages/composer-page.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import {
  chooseAction,
  drawerOf,
  filterBy,
  namesOf,
  openShares,
  rowsOf,
} from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('your own shares in a browser', () => {
  const open = (shares: readonly object[], path?: string) => openShares(browser, shares, path);

  const search = (page: Page) => page.getByLabel('Search shares');

  it('have links for recipients, whose views are told apart', async () => {
    const { page, url, token, made } = await open([{ content: '<p>1</p>', title: 'Rome' }]);
    await chooseAction(page, 'Rome', 'Links');
    const dialog = drawerOf(page, 'Rome');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('Enter who the link is for.').waitFor();
    await dialog.getByLabel('For', { exact: true }).fill('Mei');
    await dialog.getByLabel('View limit').fill('1');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('Link for Mei created and copied').waitFor();
    await dialog.getByText('Not opened yet · limit 1').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(/\/s\/to_[\w-]{22}$/);

    const { page: reader } = await openPage(await newContext(browser), link);
    await reader.getByText('Opening it uses the last view.').waitFor();
    await reader.getByRole('button', { name: 'Open snippet' }).click();
    await reader.locator('iframe').waitFor();
    const { page: later } = await openPage(await newContext(browser), link);
    await later.getByText('This link has reached its view limit').first().waitFor();

    await dialog.getByRole('button', { name: 'Close' }).click();
    await chooseAction(page, 'Rome', 'Links');
    await dialog.getByText(/^Opened 1 of 1 time · /).waitFor();
    await dialog.getByText('Limit reached').waitFor();
    await dialog.getByLabel('For', { exact: true }).fill('Luca');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('button', { name: 'Revoke the link for Luca' }).click();
    await dialog.getByText('Link for Luca revoked').waitFor();
    const { body } = await send(`${url}/api/share/${made[0]?.id}/links`, { token });
    expect(body.items).toMatchObject([
      { label: 'Mei', views: 1, endedBy: 'views' },
      { label: 'Luca', views: 0, endedBy: 'owner' },
    ]);
  });

  it('are listed with all details, found, filtered and copied', async () => {
    const { page, url, made, complaints, origins } = await open([
      { content: '<p>1</p>', title: 'Trip to Rome', description: 'Where we were', viewLimit: 5 },
      { content: '# Two', language: 'markdown', password: 'Abc123', expiresIn: 86_400 },
      { content: '<p>3</p>', title: 'Plans & <b>more</b>' },
    ]);
    await rowsOf(page).nth(2).waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['Plans & <b>more</b>', 'Two', 'Trip to Rome']);
    const rows = await rowsOf(page).allInnerTexts();
    expect(rows[0]).toMatch(/HTML · created 1 min ago\s+Anyone\s+Active\s+0\s+Never/s);
    expect(rows[1]).toMatch(/Markdown · password · .*Anyone\s+Ends soon\s+0\s+\w+ \d+/s);
    expect(rows[2]).toContain('0 of 5');
    await inspect(page, 'shares');

    await search(page).fill('ROME where');
    await expect.poll(() => namesOf(page)).toEqual(['Trip to Rome']);
    await page.reload();
    await expect.poll(() => namesOf(page)).toEqual(['Trip to Rome']);
    await search(page).fill('nothing');
    await page.getByText('No shares match your search.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rowsOf(page).nth(2).waitFor();
    await filterBy(page, 'Status', 'Ended');
    await page.getByText('No shares match your search.').waitFor();
    await filterBy(page, 'Status', 'Active');
    await rowsOf(page).nth(2).waitFor();
    expect(page.url()).toBe(`${url}/shares?status=active`);

    await chooseAction(page, 'Trip to Rome', 'Copy link');
    await page.getByText('Link copied').waitFor();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(made[0]?.url);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('are deleted one by one and together, with Undo, and at last when the page is left', async () => {
    const titles = ['One', 'Two', 'Three', 'Four'];
    const { page, url, token, complaints } = await open(
      titles.map((title) => ({ content: 'x', title })),
    );
    const stored = async () => {
      const { body } = await send(`${url}/api/share?mine=true`, { token });
      return body.items.map(({ title }: { title: string }) => title);
    };
    await rowsOf(page).nth(3).waitFor();
    await chooseAction(page, 'Three', 'Delete');
    await page.getByText('“Three” deleted').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['Four', 'Two', 'One']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => namesOf(page)).toEqual(['Four', 'Three', 'Two', 'One']);
    await expect.poll(() => stored()).toHaveLength(4);

    // By keyboard: the first two rows.
    await page.locator('main').focus();
    for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
    const bar = page.getByRole('toolbar', { name: 'Actions for the selection' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('2 items deleted').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['Two', 'One']);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Two');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(stored).toEqual(['Two', 'One']);

    await chooseAction(page, 'Two', 'Delete');
    await page.getByText('“Two” deleted').waitFor();
    await page.goto(`${url}/dashboard`);
    await expect.poll(stored).toEqual(['One']);
    expect(complaints).toEqual([]);
  });

  it('are edited in the composer, which keeps untouched fields and counted views', async () => {
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
    await chooseAction(page, 'A note', 'Edit');
    const text = page.getByLabel('Content', { exact: true });
    await page.getByText('You’re editing a share.').waitFor();
    await page.locator('#preview h1').filter({ hasText: 'Before' }).waitFor();
    await expect.poll(() => passwordMode(page).inputValue()).toBe('keep');
    await expect.poll(() => page.getByLabel('Expiration').inputValue()).toBe('keep');
    await inspect(page, 'edit');
    await text.fill('# After');
    await expect.poll(() => page.evaluate('JSON.stringify(localStorage)')).toContain('After');
    await page.reload();
    await page.getByText('Draft restored.').waitFor();
    await expect.poll(() => read(page)).toBe('# After');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
    await expect.poll(() => page.evaluate('localStorage.length')).toBe(0);
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
    await expect.poll(async () => (await own()).content).toBe('# After');
    await page.reload();
    await page.getByRole('button', { name: 'Restore my draft' }).click();
    await openOptions(page);
    await choosePassword(page, 'None');
    await page.getByLabel('Expiration').selectOption('Never');
    await page.getByLabel('View limit').fill('');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
    await expect
      .poll(() => own())
      .toMatchObject({
        content: '# Late',
        protected: false,
        viewLimit: null,
        expiresAt: null,
      });
  });
});
