import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';
import { codeOf } from '../../support/users/authenticator.ts';

describe.skipIf(!hasBrowser)('the users page in a browser', () => {
  /** Starts a service with a super_admin and these users. */
  const start = async (users: readonly Record<string, unknown>[]) => {
    const service = await startConsole(browser, users);
    return { ...service, open: (email: string, path = '/users') => service.open(email, path) };
  };

  const drawer = (page: Page) => page.locator('dialog.drawer[open]');

  /** Opens a part of the open user. */
  const openPart = (page: Page, name: string) =>
    drawer(page).getByRole('link', { name, exact: true }).click();

  it('changes one user and several, and shows both versions of a conflict', async () => {
    const { open, find, url, token } = await start([
      { name: 'Ann', role: 'user' },
      { name: 'Bob', role: 'user' },
    ]);
    const { page, complaints } = await open(root);
    await page.getByRole('link', { name: 'Ann' }).click();
    await drawer(page).getByLabel('Name', { exact: true }).fill('');
    await drawer(page).getByRole('button', { name: 'Save changes' }).click();
    await drawer(page).getByText('Required.').waitFor();
    await drawer(page).getByLabel('Name', { exact: true }).fill('Anna');
    await drawer(page).getByLabel('Documents: create').check();
    await drawer(page).getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Anna saved').waitFor();
    await expect.poll(() => find('Anna')).toMatchObject({ name: 'Anna', role: 'user' });
    await expect.poll(async () => (await find('Anna')).permissions).toContain('documents:create');

    // Someone else is faster.
    const { id } = await find('Anna');
    await send(`${url}/api/users/${id}`, { method: 'PUT', token, body: { name: 'Annabel' } });
    await drawer(page).getByLabel('Name', { exact: true }).fill('Annika');
    await drawer(page).getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('yours is “Annika”, theirs is “Annabel”').waitFor();
    await inspect(page, 'users-conflict');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Annika saved').waitFor();
    await expect.poll(async () => (await find('Annika')).name).toBe('Annika');
    await drawer(page).getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => drawer(page).count()).toBe(0);

    // No one deletes themselves, so there is nothing to ask.
    await page.getByLabel('Select Administrator').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    // A question would be over the page, and keep it from what follows.
    await page.getByLabel('Select Administrator').uncheck();
    for (const name of ['Annika', 'Bob']) await page.getByLabel(`Select ${name}`).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('2 users saved').waitFor();
    await expect.poll(async () => (await find('Bob')).status).toBe('suspended');
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('invites, ends sessions and deletes with a transfer', async () => {
    const { open, find, url, signIn } = await start([{ name: 'Ann', role: 'user' }]);
    await open('ann@example.com', '/dashboard');
    const own = await signIn('ann@example.com');
    for (const content of ['One', 'Two']) {
      await send(`${url}/api/share`, { method: 'POST', token: own, body: { content } });
    }
    const { page, complaints } = await open(root);
    await page.getByRole('link', { name: 'New user' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name');
    await drawer(page).getByLabel('Name', { exact: true }).fill('Dana');
    await drawer(page).getByLabel('Email').fill('root@example.com');
    const create = drawer(page).getByRole('button', { name: /^Create/ });
    await create.click();
    await page.getByText(/in use|taken|already/i).waitFor();
    await drawer(page).getByLabel('Email').fill('dana@example.com');
    await create.click();
    await page.getByText('Dana created and invited').waitFor();
    await page.getByRole('link', { name: 'Dana' }).click();
    await drawer(page).getByText('Invited').waitFor();
    await drawer(page).getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Invitation sent').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('link', { name: 'Ann' }).click();
    await openPart(page, 'Activity');
    await drawer(page).getByText('User created').waitFor();
    await openPart(page, 'Security');
    await drawer(page)
      .getByRole('button', { name: /^End session/ })
      .first()
      .waitFor();
    await drawer(page).getByRole('button', { name: 'End all' }).click();
    await page
      .getByRole('dialog', { name: 'End all sessions?' })
      .getByRole('button', { name: 'End all' })
      .click();
    await drawer(page).getByText('No sessions.').waitFor();
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Actions for Ann' }).click();
    const audit = page.getByRole('menuitem', { name: 'Show in audit log' });
    await expect.poll(() => audit.getAttribute('href')).toMatch(/^\/audit\?subject=user:\d+$/);
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete Ann?' });
    await dialog.getByText('This user owns 2 shares.').waitFor();
    await dialog.getByLabel('Transfer their documents, files, events and shares').check();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('Choose who gets their things.').waitFor();
    await expect
      .poll(() => dialog.getByLabel('Transfer to').evaluate((it) => it.matches(':focus')))
      .toBe(true);
    await page.keyboard.type('Dana');
    await dialog.getByRole('option', { name: 'Dana' }).waitFor();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove Dana' }).waitFor();
    await inspect(page, 'users-delete');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Ann deleted').waitFor();
    await expect.poll(() => find('Ann')).toBeUndefined();
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  });

  it.each([
    ['a desk', { width: 1440, height: 900 }],
    ['a phone', { width: 390, height: 844 }],
  ] as const)(
    'shows sign-ins and second factors, and removes lost ones after a question, on %s',
    async (_, viewport) => {
      const { open, find, url, signIn } = await startConsole(browser, [
        { name: 'Ann', role: 'user' },
      ]);
      const token = await signIn('ann@example.com');
      const post = (path: string, body: object) =>
        send(`${url}/api/auth/${path}`, { method: 'POST', token, body });
      const { secret } = (await post('totp', {})).body.data;
      await post('totp/confirm', { code: codeOf(secret) });
      const login = { email: 'ann@example.com', password: 'wrong horse' };
      await send(`${url}/api/auth/login`, { method: 'POST', body: login });

      const { id } = await find('Ann');
      const { page, complaints } = await open(root, `/users?open=${id}&part=activity`, viewport);
      await drawer(page).getByText('Wrong password').waitFor();
      const rows = drawer(page).getByRole('region', { name: 'Sign-ins' }).getByRole('listitem');
      await expect.poll(() => rows.count()).toBe(2);
      await expect.poll(() => rows.first().innerText()).toMatch(/Wrong password[\s\S]*Failed/);
      await expect.poll(() => rows.last().innerText()).toMatch(/^Password\n/);
      await inspect(page, `users-sign-ins-${viewport.width}`);

      await openPart(page, 'Security');
      const factors = drawer(page).getByRole('region', { name: 'Second factor' });
      await factors.getByText('Authenticator app').waitFor();
      await factors.getByText('10 of 10 left').waitFor();
      await inspect(page, `users-security-${viewport.width}`);
      await factors.getByRole('button', { name: 'Remove all' }).click();
      const question = page.getByRole('dialog', { name: 'Remove the second factors of Ann?' });
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'hidden' });
      await factors.getByText('Authenticator app').waitFor();
      await factors.getByRole('button', { name: 'Remove all' }).click();
      await question.getByRole('button', { name: 'Remove' }).click();
      await factors.getByText('None. The password alone signs in.').waitFor();
      await page.getByText('Second factors removed').waitFor();
      expect(await signIn('ann@example.com')).toMatch(/^ey/);
      expect(complaints).toEqual([]);
    },
  );
});
