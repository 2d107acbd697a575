import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the users page in a browser', () => {
  /** Starts a service with a super_admin and these users. */
  const start = async (users: readonly Record<string, unknown>[]) => {
    const service = await startConsole(browser, users);
    return { ...service, open: (email: string, path = '/users') => service.open(email, path) };
  };

  const names = (page: Page) => page.locator('#users .person b').allInnerTexts();

  const drawer = (page: Page) => page.locator('dialog.drawer[open]');

  it('finds, filters and sorts users, all in the address', async () => {
    const { open } = await start([
      { name: 'Ann', role: 'admin' },
      { name: 'Bob', role: 'user', status: 'suspended' },
      { name: 'Cem', role: 'user' },
    ]);
    const { page, complaints } = await open(root);
    await page.getByRole('link', { name: 'Cem' }).waitFor();
    await page.getByText('1–4 of 4').waitFor();
    await inspect(page, 'users');
    await page.getByLabel('Role', { exact: true }).selectOption('User');
    await expect.poll(() => names(page)).toEqual(['Cem', 'Bob']);
    await page.getByLabel('Status', { exact: true }).selectOption('Suspended');
    await expect.poll(() => names(page)).toEqual(['Bob']);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Bob']);
    await page.getByLabel('Name, username or email').fill('nobody');
    await page.getByText('No users match your search.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(async () => (await names(page)).length).toBe(4);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await expect
      .poll(async () => (await names(page)).slice(0, 3))
      .toEqual(['Administrator', 'Ann', 'Bob']);
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.getByRole('rowheader', { name: 'Documents: manage' }).waitFor();
    await inspect(page, 'users-roles');
    await page.goBack();
    await page.getByRole('link', { name: 'Cem' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Sort: Name A–Z' }).click();
    await page.getByRole('menuitemradio', { name: 'Name Z–A' }).click();
    await expect.poll(async () => (await names(page))[0]).toBe('Cem');
    await inspect(page, 'users-phone');
    expect(complaints).toEqual([]);
  });

  it('is read-only for those who may only view, and closed to others', async () => {
    const { open } = await start([
      { name: 'Vera', role: 'user', permissions: ['users:view'] },
      { name: 'Gus', role: 'guest' },
      { name: 'Ada', role: 'admin' },
    ]);
    const { page } = await open('vera@example.com');
    await page.getByRole('link', { name: 'Gus' }).click();
    await drawer(page).getByText('You can’t change this user.').waitFor();
    await expect
      .poll(() => drawer(page).getByLabel('Name', { exact: true }).isDisabled())
      .toBe(true);
    await expect.poll(() => page.getByRole('checkbox', { name: /^Select/ }).count()).toBe(0);
    await expect.poll(() => page.getByRole('link', { name: 'New user' }).count()).toBe(0);

    const { page: admins } = await open('ada@example.com');
    await admins.getByRole('link', { name: 'Administrator' }).click();
    await drawer(admins).getByText('Their role is above yours.').waitFor();

    const { page: closed } = await open('gus@example.com');
    await closed.getByRole('heading', { name: 'No access' }).waitFor();
  });

  it('sends a link for a new password, only to those who can use one', async () => {
    const { open } = await start([
      { name: 'Ann', role: 'user' },
      { name: 'Bob', role: 'user' },
    ]);
    const { page } = await open(root);
    const openMenu = (name: string) =>
      page.getByRole('button', { name: `Actions for ${name}` }).click();
    const item = (name: string) => page.getByRole('menuitem', { name });
    await openMenu('Ann');
    const asked = page.waitForRequest('**/api/auth/forgot-password');
    await item('Send reset link').click();
    await page.getByText('Link for a new password sent to Ann').waitFor();
    expect((await asked).postDataJSON()).toEqual({ email: 'ann@example.com' });
    await openMenu('Bob');
    await item('Suspend').click();
    await page.getByText('Bob saved').waitFor();
    await openMenu('Bob');
    await item('Activate').waitFor();
    await expect.poll(() => item('Send reset link').count()).toBe(0);
  });
});
