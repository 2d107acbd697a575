import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root } from '../../support/pages/console-service.ts';
import { changes, drawer, start } from '../flows/audit-log.ts';

describe.skipIf(!hasBrowser)('the audit log in a browser', () => {
  it('filters by action, user, subject and time in the address, and shows what changed', async () => {
    const { open, ann, url } = await start();
    const { page, complaints } = await open(root, '/audit');
    await expect.poll(async () => (await changes(page))[0]).toBe('Signed in');
    await expect.poll(() => changes(page)).toContain('Document shared');

    await page.getByLabel('Change', { exact: true }).selectOption('User changed');
    await expect.poll(() => changes(page)).toEqual(['User changed']);
    expect(new URL(page.url()).searchParams.get('action')).toBe('user.update');
    await page.reload();
    await expect.poll(() => changes(page)).toEqual(['User changed']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await changes(page)).length).toBeGreaterThan(5);

    await page.getByRole('button', { name: 'Anyone' }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a user' });
    await dialog.getByRole('combobox').fill('nobody at all');
    await dialog.getByText('No users match your search.').first().waitFor();
    await dialog.getByRole('combobox').fill('=Anna');
    await dialog.getByRole('option', { name: /=Anna/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => changes(page))
      .toEqual(['Document shared', 'Document created', 'Signed in']);
    expect(new URL(page.url()).searchParams.get('actor')).toBe(String(ann.id));
    await page.getByRole('button', { name: 'By =Anna' }).click();
    await page.getByRole('button', { name: 'Anyone' }).waitFor();

    await page.getByLabel('From').fill('2020-01-01');
    await page.getByLabel('To', { exact: true }).fill('2020-01-02');
    await page.getByText('No entries match your filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect.poll(async () => (await changes(page)).length).toBeGreaterThan(5);

    // An entry shows what was before and after, with names and links.
    await page.goto(`${url}/audit?subject=user:${ann.id}`);
    await page.getByRole('link', { name: 'User changed' }).click();
    const field = (name: string) => drawer(page).getByRole('row', { name });
    await field('Role').waitFor();
    await expect.poll(() => field('Role').locator('td').allInnerTexts()).toEqual(['User', 'Admin']);
    await expect.poll(() => field('Name').locator('td').allInnerTexts()).toEqual(['Ann', '=Anna']);
    const link = drawer(page).getByRole('link', { name: '=Anna' });
    await expect.poll(() => link.getAttribute('href')).toBe(`/users?open=${ann.id}`);
    // The address alone shows the entry, whatever the list shows.
    await page.goto(`${url}/audit?open=${new URL(page.url()).searchParams.get('open')}`);
    await field('Role').waitFor();
    await drawer(page).getByRole('button', { name: 'Only about this subject' }).click();
    await expect.poll(() => changes(page)).toEqual(['Signed in', 'User changed', 'User created']);

    await page.goto(`${url}/audit?action=document.share`);
    await page.getByRole('link', { name: 'Document shared' }).click();
    await expect
      .poll(() => field('Shared with').locator('td').allInnerTexts())
      .toEqual(['None', 'Vera']);
    expect(complaints).toEqual([]);
  });
});
