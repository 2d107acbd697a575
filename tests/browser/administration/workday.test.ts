// One administrator’s way over all pages, without a pointer.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

const maxTabs = 60;

/** Presses Tab until what has the focus has this name. */
const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < maxTabs; presses += 1) {
    await page.keyboard.press('Tab');
    const names = (await page.evaluate(`{
      const { activeElement: element } = document;
      [element.labels?.[0]?.textContent, element.getAttribute('aria-label'), element.textContent]
        .map((text) => text?.trim());
    }`)) as (string | undefined)[];
    if (names.includes(name)) return;
  }
  throw new Error(`Tab doesn’t reach ${name}`);
};

/** Opens a page by the palette. */
const goTo = async (page: Page, name: string, path: string): Promise<void> => {
  // The keys work a moment after the page is there.
  await expect
    .poll(async () => {
      await page.keyboard.press('ControlOrMeta+k');
      return page.evaluate('document.activeElement.role');
    })
    .toBe('combobox');
  await page.keyboard.type(name);
  await page.getByRole('option', { name: new RegExp(`^${name}`), selected: true }).waitFor();
  await Promise.all([page.waitForURL(`**${path}`), page.keyboard.press('Enter')]);
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

/** Moves to the first row, and opens it. */
const openFirst = async (page: Page): Promise<void> => {
  await page.locator('main tbody tr').first().waitFor();
  // The keys work a moment after the rows are there.
  await expect
    .poll(async () => {
      await page.keyboard.press('j');
      return page.evaluate('document.activeElement.closest("tbody") !== null');
    })
    .toBe(true);
  await page.keyboard.press('Enter');
  await page.locator('dialog.drawer[open]').waitFor();
};

describe.skipIf(!hasBrowser)('a day of administration by keyboard', () => {
  it('finds and suspends a user, reads the audit log, decides on reports and records a sale', async () => {
    const { open, url, signIn, find, token } = await startConsole(browser, [
      { name: 'Ann', role: 'user' },
      { name: 'Bob', role: 'user' },
    ]);
    const own = await signIn('bob@example.com');
    for (const title of ['First', 'Second']) {
      const body = { content: title, title };
      const { id } = (await send(`${url}/api/share`, { method: 'POST', token: own, body })).body;
      await send(`${url}/api/share/${id}/report`, { method: 'POST', body: { reason: 'Spam' } });
    }
    const { page, complaints } = await open(root, '/dashboard');
    await page.locator('main').waitFor();

    await goTo(page, 'Users', '/users');
    await page.locator('main tbody tr').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('Ann');
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(1);
    await tabTo(page, 'Ann');
    await page.keyboard.press('Enter');
    await page.locator('#user').waitFor();
    await tabTo(page, 'Status');
    await page.keyboard.type('Sus');
    await tabTo(page, 'Save changes');
    await page.keyboard.press('Enter');
    // Before the page knows, Escape asks whether to discard the change.
    await page.getByText('Ann saved').waitFor();
    await expect.poll(async () => (await find('Ann')).status).toBe('suspended');
    await page.keyboard.press('Escape');

    await goTo(page, 'Audit log', '/audit');
    await openFirst(page);
    const status = page.locator('dialog.drawer').getByRole('row', { name: 'Status' });
    await expect.poll(() => status.locator('td').allInnerTexts()).toEqual(['active', 'suspended']);
    await page.keyboard.press('Escape');

    await goTo(page, 'Moderation', '/moderation');
    await openFirst(page);
    await page.getByRole('heading', { name: 'First' }).waitFor();
    await page.locator('.framed iframe:not(.next), dialog.drawer pre').first().waitFor();
    await page.keyboard.press('1');
    await page.getByRole('heading', { name: 'Second' }).waitFor();
    await page.keyboard.press('2');
    await expect.poll(() => page.locator('main tbody tr').count()).toBe(0);
    const statuses = async () => {
      const { body } = await send(`${url}/api/shares`, { token });
      return body.data.items.map(({ status: one }: { status: string }) => one).sort();
    };
    await expect.poll(statuses).toEqual(['active', 'taken-down']);

    await goTo(page, 'Sales', '/sales');
    await tabTo(page, 'New sale');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Amount (EUR)' }).waitFor();
    await tabTo(page, 'Amount (EUR)');
    await page.keyboard.type('12.50');
    await page.keyboard.press('Enter');
    await page.getByText('Sale recorded').waitFor();
    const sales = (await send(`${url}/api/sales`, { token })).body.data.items;
    expect(sales).toMatchObject([{ amount: 12.5 }]);
    expect(complaints).toEqual([]);
  });
});
