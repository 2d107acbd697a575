// What isn't saved is never left without asking, and keys of the page leave it alone.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { root, startConsole } from '../support/pages/console-service.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { send } from '../support/run/process.ts';
import { inbox, palette } from './flows/shell.ts';

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard your changes?' });

/** Answers the question by staying. */
const stay = async (page: Page) => {
  await question(page).getByRole('button', { name: 'Cancel' }).click();
  await question(page).waitFor({ state: 'detached' });
};

const discard = (page: Page) => question(page).getByRole('button', { name: 'Discard' }).click();

describe.skipIf(!hasBrowser)('unsaved changes in a browser', () => {
  it('are asked about by every way out of a drawer, and stay when the user stays', async () => {
    const { url, open, find } = await startConsole(browser, [
      { name: 'Ann', role: 'user' },
      { name: 'Bob', role: 'user' },
    ]);
    const { page, complaints } = await open(root, '/users');
    await page.getByRole('link', { name: 'Ann' }).click();
    const drawer = page.locator('dialog.drawer[open]');
    const name = drawer.getByLabel('Name', { exact: true });
    await name.fill('Anna');
    const shown = `${url}/users?open=${(await find('Ann')).id}`;
    const ways: Readonly<Record<string, () => Promise<unknown>>> = {
      sidebar: () => page.getByRole('link', { name: 'Sales' }).first().click(),
      palette: async () => {
        await page.keyboard.press('Control+k');
        await palette(page).getByRole('combobox').fill('audit');
        await palette(page).getByRole('option', { name: 'Audit log' }).click();
      },
      'another record': () => page.getByRole('link', { name: 'Bob' }).click(),
      'another tab': () => page.getByRole('link', { name: 'Roles' }).click(),
      'a page opened by a script': () => page.evaluate(`location.assign('/shares')`),
      'signing out': async () => {
        await page.locator('.me').click();
        await page.locator('#sign-out').click();
      },
      back: () => page.evaluate('history.back()'),
      'back once more': () => page.evaluate('history.back()'),
      escape: () => name.press('Escape'),
      'escape in the list': () => page.getByRole('link', { name: 'Bob' }).press('Escape'),
      cancel: () => drawer.getByRole('button', { name: 'Cancel' }).click(),
    };
    for (const [way, go] of Object.entries(ways)) {
      await go();
      await question(page).getByText('Your changes to Ann aren’t saved.').waitFor();
      await stay(page);
      expect([page.url(), await name.inputValue()], way).toEqual([shown, 'Anna']);
    }
    const asked: string[] = [];
    page.on('dialog', (dialog) => asked.push(dialog.type()));
    await page.reload();
    expect(asked).toEqual(['beforeunload']);

    await name.fill('Anna');
    await page.evaluate('history.back()');
    await question(page).waitFor();
    await discard(page);
    await page.waitForURL(`${url}/users`);
    await expect.poll(() => drawer.count()).toBe(0);
    await page.goForward();
    await expect.poll(() => name.inputValue()).toBe('Ann');
    await name.fill('Anna');
    await page.getByRole('link', { name: 'Sales' }).first().click();
    await question(page).waitFor();
    await discard(page);
    await page.waitForURL(`${url}/sales`);
    expect(asked).toEqual(['beforeunload']);
    expect((await find('Ann')).name).toBe('Ann');
    expect(complaints).toEqual([]);
  });

  it('are asked about on the account, in a new event and in the options of a share', async () => {
    const { url, token, open } = await startConsole(browser, []);
    const { page } = await open(root, '/account');
    await page.getByLabel('Name', { exact: true }).fill('Someone');
    await page.getByRole('link', { name: 'Security' }).click();
    await question(page).getByText('Your changes to your account aren’t saved.').waitFor();
    await discard(page);
    await page.getByRole('button', { name: 'Change password' }).waitFor();

    await page.goto(`${url}/calendar`);
    await page.getByRole('link', { name: 'New event' }).click();
    await page.getByLabel('Title').fill('Proofs');
    await page.getByRole('link', { name: 'Documents' }).first().click();
    await question(page).getByText('Your changes to the new event aren’t saved.').waitFor();
    await discard(page);
    await page.waitForURL(`${url}/documents`);

    // The draft of a share is kept, but not its options.
    const body = { content: '# Notes', title: 'Notes' };
    const { id } = (await send(`${url}/api/share`, { method: 'POST', token, body })).body;
    await page.goto(`${url}/?edit=${id}`);
    await expect.poll(() => page.locator('#share-title').inputValue()).toBe('Notes');
    await page.locator('#share-title').fill('More notes');
    await page.getByRole('link', { name: 'Documents' }).first().click();
    await page.waitForURL(`${url}/documents`);
    await page.goto(`${url}/?edit=${id}`);
    await expect.poll(() => page.locator('#share-title').inputValue()).toBe('More notes');
    await page.evaluate(`(() => {
      const field = document.querySelector('#share-viewLimit');
      field.value = '3';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    })()`);
    await page.getByRole('link', { name: 'Documents' }).first().click();
    await question(page).getByText('Your changes to this share aren’t saved.').waitFor();
    await stay(page);
    expect(page.url()).toBe(`${url}/?edit=${id}`);
  });

  it('keep keys of the page from acting, as do drawers and a focus that was just lost', async () => {
    const { open } = await startConsole(browser, [{ name: 'Ann', role: 'user' }]);
    const { page } = await open(root, '/users');
    await page.getByRole('link', { name: 'Ann' }).waitFor();
    /** Presses `n` on the page so long after its focus was lost. Returns whether the bell has opened. */
    const press = (afterMs: number) =>
      page.evaluate<boolean>(`(() => {
        const now = performance.now();
        performance.now = () => now;
        document.querySelector('input[type=search]').focus();
        // As by a press on nothing.
        document.body.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }));
        document.activeElement.blur();
        performance.now = () => now + ${afterMs};
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, composed: true }));
        delete performance.now;
        return document.querySelector('#inbox').matches(':popover-open');
      })()`);
    expect(await press(999)).toBe(false);
    expect(await press(1_000)).toBe(true);
    await page.keyboard.press('Escape');
    await inbox(page).waitFor({ state: 'hidden' });

    await page.getByRole('link', { name: 'Ann' }).click();
    await page.locator('dialog.drawer[open]').getByLabel('Email').waitFor();
    expect(await press(2_000)).toBe(false);
  });
});
