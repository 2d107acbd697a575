import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import {
  chooseAction,
  filterBy,
  namesOf,
  openShares,
  rowsOf,
  sortBy,
} from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the list of your shares in a browser', () => {
  const dayMs = 86_400_000;
  const bar = (page: Page) => page.getByRole('toolbar', { name: 'Actions for the selection' });
  const select = (page: Page, name: string) =>
    page.getByRole('checkbox', { name: `Select ${name}`, exact: true });

  it('is sorted by title, views and end, and filtered by status', async () => {
    const { page, url, token, made, complaints } = await openShares(browser, [
      { content: 'x', title: 'Part 10', expiresIn: 86_400 },
      { content: 'x', title: 'Part 2', viewLimit: 9 },
      { content: 'x', title: 'Cover', expiresIn: 3_600 },
      { content: 'x', title: 'Gone', viewLimit: 1 },
    ]);
    await send(`${url}/api/share?id=${made[1]?.id}`);
    await send(`${url}/api/share?id=${made[1]?.id}`);
    await send(`${url}/api/share?id=${made[3]?.id}`);
    await page.reload();
    await rowsOf(page).nth(3).waitFor();
    const sort = async (title: string, expected: readonly string[]) => {
      await page.getByRole('columnheader').getByRole('button', { name: title }).click();
      await expect.poll(() => namesOf(page)).toEqual(expected);
    };
    await sort('Title', ['Cover', 'Gone', 'Part 2', 'Part 10']);
    await sort('Title', ['Part 10', 'Part 2', 'Gone', 'Cover']);
    await sort('Views', ['Part 2', 'Gone', 'Cover', 'Part 10']);
    await sort('Expires', ['Cover', 'Part 10', 'Part 2', 'Gone']);
    expect(page.url()).toBe(`${url}/shares?sort=expiresAt`);
    await sortBy(page, 'Newest first');
    await expect.poll(() => namesOf(page)).toEqual(['Gone', 'Cover', 'Part 2', 'Part 10']);
    await sortBy(page, 'Oldest first');
    await expect.poll(() => namesOf(page)).toEqual(['Part 10', 'Part 2', 'Cover', 'Gone']);
    await filterBy(page, 'Status', 'Ended');
    await expect.poll(() => namesOf(page)).toEqual(['Gone']);
    await filterBy(page, 'Status', 'Active');
    await expect.poll(() => namesOf(page)).toEqual(['Part 10', 'Part 2', 'Cover']);
    expect(page.url()).toBe(`${url}/shares?status=active&sort=-createdAt`);
    await filterBy(page, 'Status', 'Taken down');
    await page.getByText('No shares match your search.').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await filterBy(page, 'Status', 'All');
    await sortBy(page, 'Most views');
    await expect.poll(() => namesOf(page)).toEqual(['Part 2', 'Gone', 'Cover', 'Part 10']);
    await inspect(page, 'shares-sorted-390');
    expect((await send(`${url}/api/share?mine=true`, { token })).body.total).toBe(4);
    expect(complaints).toEqual([]);
  });

  it('extends several selected shares, names those that failed and tries them again', async () => {
    const titles = ['One', 'Two', 'Three', 'Four', 'Five'];
    const { page, url, token, made, complaints } = await openShares(
      browser,
      titles.map((title) => ({ content: 'x', title, expiresIn: 3_600 })),
    );
    const ends = async (): Promise<Record<string, string | null>> => {
      const { body } = await send(`${url}/api/share?mine=true`, { token });
      return Object.fromEntries(
        body.items.map(({ title, expiresAt }: Record<string, string>) => [title, expiresAt]),
      );
    };
    await rowsOf(page).nth(4).waitFor();
    const before = await ends();
    // From the second to the fourth row.
    await select(page, 'Four').click();
    await select(page, 'Two').click({ modifiers: ['Shift'] });
    await bar(page).getByText('3 selected').waitFor();
    // Someone else changes one of them.
    const path = `${url}/api/share/${made[1]?.id}`;
    await send(path, { method: 'PUT', token, body: { description: 'Other' } });
    await bar(page).getByRole('button', { name: 'Extend' }).click();
    const dialog = page.getByRole('dialog', { name: 'Extend 3 shares' });
    await dialog.getByLabel('New expiration').selectOption('Custom date');
    await dialog.getByLabel('Expires on').fill('2020-01-01T12:00');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await dialog.getByText('Choose a time in the future.').waitFor();
    await inspect(page, 'shares-extend');
    await dialog.getByLabel('New expiration').selectOption('In 30 days');
    await dialog.getByRole('button', { name: 'Extend' }).click();
    await page.getByText(/^2 shares expire /).waitFor();
    await page.getByText(/^Couldn’t extend “Two”\./).waitFor();
    const between = await ends();
    expect(between).toMatchObject({ One: before['One'], Two: before['Two'], Five: before['Five'] });
    for (const title of ['Three', 'Four']) {
      const left = Date.parse(between[title] ?? '') - Date.now();
      expect(Math.round(left / dayMs)).toBe(30);
    }
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^“Two” expires /).waitFor();
    await expect.poll(async () => (await ends())['Two']).toBe(between['Three']);
    // What expires later stays so.
    await chooseAction(page, 'Three', 'Extend');
    await page.getByLabel('New expiration').selectOption('In 1 day');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText('1 share expires later already and stays so.').waitFor();
    expect((await ends())['Three']).toBe(between['Three']);
    await chooseAction(page, 'One', 'Extend');
    await page.getByLabel('New expiration').selectOption('Never');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText('“One” never expires').waitFor();
    await expect.poll(async () => (await ends())['One']).toBe(null);
    const ofOne = page.locator('.toast', { hasText: '“One” never expires' });
    await ofOne.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await ends())['One']).toBe(before['One']);
    await ofOne.waitFor({ state: 'detached' });
    // Browsers log the expected rejection of the older version.
    expect(complaints.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('ends a share, which can be undone for some seconds', async () => {
    const { page, url, made, token } = await openShares(browser, [
      { content: 'x', title: 'One' },
      { content: 'x', title: 'Two' },
    ]);
    const status = async (at: number) =>
      (await send(`${url}/api/share?mine=true&id=${made[at]?.id}`, { token })).body.status;
    await rowsOf(page).nth(1).waitFor();
    await chooseAction(page, 'One', 'End now');
    await page.getByText('“One” ended').waitFor();
    await rowsOf(page).nth(1).getByText('Ended').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowsOf(page).nth(1).getByText('Active').waitFor();
    await expect.poll(() => status(0)).toBe('active');

    const refuse = (route: Route) =>
      route.fulfill({ status: 403, json: { error: { message: 'Not now.', code: 'FORBIDDEN' } } });
    await page.route('**/api/share/*/end', refuse);
    await chooseAction(page, 'Two', 'End now');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Couldn’t end “Two”. Not now.').waitFor();
    await rowsOf(page).nth(0).getByText('Active').waitFor();
    await page.unroute('**/api/share/*/end', refuse);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect.poll(() => status(1)).toBe('ended');
    await rowsOf(page).nth(0).getByText('Ended').waitFor();

    // The page that is left still ends it.
    await chooseAction(page, 'One', 'End now');
    await page.getByText('“One” ended').waitFor();
    await page.goto(`${url}/dashboard`);
    await expect.poll(() => status(0)).toBe('ended');
  });
});
