import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { admin } from '../../support/run/fresh-service.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the roles in a browser', () => {
  const drawer = (page: Page) => page.locator('dialog.drawer[open]');
  const tab = '/users?tab=roles';

  it('are created by keyboard on a phone, given to a user, changed and deleted', async () => {
    const { open, url, token, find } = await startConsole(browser, [{ name: 'Ann', role: 'user' }]);
    const { page, complaints } = await open(root, tab, { width: 390, height: 664 });
    const add = page.getByRole('button', { name: 'New role' });
    await add.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('label');
    await page.keyboard.type('Front desk');
    // The choices of all permissions follow one another.
    const views = drawer(page).getByLabel('See all users');
    for (let presses = 0; presses < 5; presses++) {
      if (await views.evaluate((it) => it.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Space');
    await drawer(page).getByLabel('Read the audit log').focus();
    await page.keyboard.press('Space');
    await inspect(page, 'users-role-new');
    await drawer(page).getByRole('button', { name: 'Create' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Front desk created').waitFor();
    await expect.poll(() => drawer(page).count()).toBe(0);
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Front desk' })
      .getByText('0 users')
      .waitFor();
    const read = async () => (await send(`${url}/api/roles/front-desk`, { token })).body.data;
    expect(await read()).toMatchObject({ permissions: ['users:view', 'audit:view'] });
    await inspect(page, 'users-roles');
    expect(complaints).toEqual([]);

    // On a desk, a user gets it.
    const desk = await open(root, '/users');
    await desk.page.getByRole('link', { name: 'Ann' }).click();
    await drawer(desk.page)
      .getByRole('radio', { name: /^Front desk/ })
      .check();
    await drawer(desk.page).getByRole('button', { name: 'Save changes' }).click();
    await desk.page.getByText('Ann saved').waitFor();
    await expect.poll(async () => (await find('Ann')).role).toBe('front-desk');
    await desk.page.getByLabel('Role', { exact: true }).selectOption('Front desk');
    await expect.poll(() => desk.page.locator('#users td.m').count()).toBe(1);

    // It can’t be deleted then, but changed, with effect at once.
    await desk.page.goto(`${url}${tab}&open=front-desk`);
    await drawer(desk.page).getByText('1 user has this role. Changes apply to them').waitFor();
    const bin = drawer(desk.page).getByRole('button', { name: 'Delete role' });
    expect(await bin.getAttribute('aria-disabled')).toBe('true');
    await drawer(desk.page).getByLabel('Read the audit log').uncheck();
    await send(`${url}/api/roles/front-desk`, { method: 'PUT', token, body: { label: 'Lobby' } });
    await drawer(desk.page).getByLabel('Label').fill('Reception');
    await drawer(desk.page).getByRole('button', { name: 'Save changes' }).click();
    await desk.page.getByText('yours is “Reception”, theirs is “Lobby”').waitFor();
    await desk.page.getByRole('button', { name: 'Keep mine' }).click();
    await desk.page.getByText('Reception saved').waitFor();
    expect(await read()).toMatchObject({ label: 'Reception', permissions: ['users:view'] });
    await inspect(desk.page, 'users-role');

    const { id } = await find('Ann');
    await send(`${url}/api/users/${id}`, { method: 'PUT', token, body: { role: 'user' } });
    await desk.page.reload();
    await bin.click();
    const question = desk.page.getByRole('dialog', { name: 'Delete the role Reception?' });
    await question.getByRole('button', { name: 'Delete role' }).click();
    await desk.page.getByText('Reception deleted').waitFor();
    await expect
      .poll(() => desk.page.getByRole('listitem').filter({ hasText: 'Reception' }).count())
      .toBe(0);
    expect(desk.complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('are only shown to who may not change them, by their own label', async () => {
    const { open, url, token } = await startConsole(browser, []);
    const role = { name: 'auditor', label: 'Auditor', permissions: ['users:view', 'audit:view'] };
    expect((await send(`${url}/api/roles`, { method: 'POST', token, body: role })).status).toBe(
      201,
    );
    const { password } = admin;
    const body = { name: 'Bob', email: 'bob@example.com', password, role: 'auditor' };
    const made = await send(`${url}/api/users`, { method: 'POST', token, body });
    expect(made.status).toBe(201);
    const { page, complaints } = await open('bob@example.com', tab);
    await page.locator('.me').getByText('Auditor').waitFor();
    expect(await page.getByRole('button', { name: 'New role' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Auditor' }).click();
    await drawer(page).getByText('You can’t change roles.').waitFor();
    expect(await drawer(page).getByLabel('Read the audit log').isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Super admin' }).click();
    await drawer(page).getByText('Built-in roles can’t be changed.').waitFor();
    expect(complaints).toEqual([]);
  });
});
