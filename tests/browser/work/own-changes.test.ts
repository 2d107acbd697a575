// What a page changes is what its open drawer shows and saves, whoever on the page changed it.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('a record in an open drawer', () => {
  it('takes a change from its menu and from the bulk bar, below what is being typed', async () => {
    const { url, token, open, find } = await startConsole(browser, [{ name: 'Ann', role: 'user' }]);
    const { page, complaints } = await open(root, '/users');
    await page.getByRole('link', { name: 'Ann' }).click();
    const drawer = page.locator('dialog.drawer[open]');
    const name = drawer.getByLabel('Name', { exact: true });
    const save = drawer.getByRole('button', { name: 'Save changes' });
    await name.fill('Anna');
    await drawer.getByRole('button', { name: 'Edit user' }).click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByText('Ann saved').waitFor();
    await expect.poll(() => drawer.getByLabel('Status').inputValue()).toBe('suspended');
    expect(await name.inputValue()).toBe('Anna');
    await save.click();
    await page.getByText('Anna saved').waitFor();
    expect(await find('Anna')).toMatchObject({ name: 'Anna', status: 'suspended' });

    await name.fill('Annika');
    await page.getByLabel('Select Anna').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Activate' }).click();
    await expect.poll(() => drawer.getByLabel('Status').inputValue()).toBe('active');
    await save.click();
    await page.getByText('Annika saved').waitFor();
    expect(await find('Annika')).toMatchObject({ name: 'Annika', status: 'active' });

    // What only someone else changed is taken over, too; what both changed is asked about.
    const { id } = await find('Annika');
    const change = (body: object) => send(`${url}/api/users/${id}`, { method: 'PUT', token, body });
    const reload = async () => {
      const loaded = page.waitForResponse((response) => response.url().includes('/api/users?'));
      await page.getByLabel('Role', { exact: true }).first().selectOption('user');
      await loaded;
      const again = page.waitForResponse((response) => response.url().includes('/api/users?'));
      await page.getByLabel('Role', { exact: true }).first().selectOption('all');
      await again;
    };
    await name.fill('Anne');
    await change({ status: 'suspended' });
    await reload();
    await expect.poll(() => drawer.getByLabel('Status').inputValue()).toBe('suspended');
    expect(await name.inputValue()).toBe('Anne');
    await change({ name: 'Annabel' });
    await reload();
    await drawer.getByText('yours is “Anne”, theirs is “Annabel”').waitFor();
    await drawer.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Anne saved').waitFor();
    expect((await find('Anne')).name).toBe('Anne');
    expect(complaints).toEqual([]);
  });
});
