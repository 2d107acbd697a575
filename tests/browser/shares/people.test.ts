// Whom a share names, and what they have of it. Both by keyboard, and by finger on a phone.
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { newContext } from '../../support/pages/composer-page.ts';
import { pressMenuItem } from '../../support/pages/menus.ts';
import { inspect, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { drawerOf, namesOf, openShares, rowsOf } from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

const bob = { email: 'bob@example.com', name: 'Bob Reader', password: 'correct horse' };

/** Registers the reader. Returns what he has. */
const newReader = async (of: Browser, url: string) => {
  const context = await newContext(of);
  const response = await context.request.post(`${url}/api/auth/register`, {
    data: { ...bob, confirmPassword: bob.password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(201);
  const { token } = await response.json();
  const received = async (): Promise<string[]> =>
    (await send(`${url}/api/share/received`, { token })).body.items.map(
      ({ title }: { title: string }) => title,
    );
  return { context, token, received };
};

/** Presses Tab until something with this name has the focus. */
const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  const isThere = `(() => {
    const { textContent, ariaLabel, id } = document.activeElement;
    const label = document.querySelector('label[for="' + id + '"]')?.textContent ?? '';
    return ${name}.test(ariaLabel ?? (label || textContent.trim()));
  })()`;
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(isThere)) return;
  }
  throw new Error(`Tab leads to nothing like ${name}`);
};

describe.skipIf(!hasBrowser)('the people of a share in a browser', () => {
  it('are added and removed by keyboard, and find it in their list, which they remove it from', async () => {
    const { page, url, token, made, complaints } = await openShares(browser, [
      {
        content: '# All that is new',
        language: 'markdown',
        title: 'Release notes',
        audience: 'private',
      },
    ]);
    const reader = await newReader(browser, url);
    await rowsOf(page).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const drawer = drawerOf(page, 'Release notes');
    await drawer.getByRole('link', { name: 'Open page' }).waitFor();
    await inspect(page, 'shares-details');
    await tabTo(page, /^People/);
    await page.keyboard.press('Enter');
    await drawer.getByText('Only you can open it.').waitFor();
    expect(page.url()).toBe(`${url}/shares?open=${made[0]?.id}&tab=people`);
    await tabTo(page, /^Add people/);
    await page.keyboard.type(bob.email);
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Add 1 person' }).waitFor();
    await tabTo(page, /^Add 1 person/);
    await page.keyboard.press('Enter');
    await page.getByText(`Shared with ${bob.email}`).waitFor();
    await drawer.getByText('Bob Reader').waitFor();
    await rowsOf(page).first().getByText('1 person', { exact: true }).waitFor();
    await inspect(page, 'shares-people');

    await expect.poll(reader.received).toEqual(['Release notes']);
    const { page: his } = await openPage(reader.context, `${url}/shares`);
    await his.getByRole('link', { name: 'Shared with me 1 new' }).waitFor();
    await tabTo(his, /^Shared with me/);
    await his.keyboard.press('Enter');
    await his.waitForURL(`${url}/shares?with=me`);
    await rowsOf(his).first().getByText('New', { exact: true }).waitFor();
    const row = rowsOf(his).first();
    await row.getByText('You', { exact: true }).waitFor();
    await inspect(his, 'shares-with-me');
    await his.reload();
    await row.waitFor();
    expect(await row.getByText('New', { exact: true }).count()).toBe(0);
    const removeByKey = async () => {
      await his.locator('main').focus();
      await his.keyboard.press('j');
      await tabTo(his, /^Actions for/);
      await his.keyboard.press('Enter');
      await pressMenuItem(his, 'Remove from list');
      await his.getByText('Removed “Release notes” from your list').waitFor();
      await expect.poll(() => namesOf(his)).toEqual([]);
    };
    await removeByKey();
    await his.getByRole('button', { name: 'Undo' }).press('Enter');
    await expect.poll(() => namesOf(his)).toEqual(['Release notes']);
    await removeByKey();
    await his.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await expect.poll(reader.received).toEqual([]);
    await his.getByText('Nothing shared with you yet').waitFor();
    const read = async () =>
      (await send(`${url}/api/share?id=${made[0]?.id}`, { token: reader.token })).status;
    expect(await read()).toBe(200);

    await page.reload();
    await drawer.getByText(/^Opened .* ago/).waitFor();
    await tabTo(page, /^Actions for Bob Reader/);
    await page.keyboard.press('Enter');
    await pressMenuItem(page, 'Remove');
    await page.getByText('Removed Bob Reader').waitFor();
    await expect.poll(() => drawer.getByText('Bob Reader').count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await drawer.getByText('Only you can open it.').waitFor();
    await expect.poll(read).toBe(404);
    await page.keyboard.press('Escape');
    await expect.poll(() => drawer.count()).toBe(0);
    expect((await send(`${url}/api/share?mine=true`, { token })).body.items).toMatchObject([
      { audience: 'private', readers: [] },
    ]);
    expect(complaints).toEqual([]);
  });

  it('come back by Undo, which a phone shows over the sheet', async () => {
    const { page, url, token, made } = await openShares(browser, [{ content: 'x', title: 'Plan' }]);
    await newReader(browser, url);
    const path = `${url}/api/share/${made[0]?.id}`;
    await send(path, { method: 'PUT', token, body: { readers: [bob.email] } });
    await page.setViewportSize({ width: 390, height: 664 });
    await page.goto(`${url}/shares?open=${made[0]?.id}&tab=people`);
    const drawer = drawerOf(page, 'Plan');
    const remove = async () => {
      await drawer.getByRole('button', { name: 'Actions for Bob Reader' }).click();
      await page.getByRole('menuitem', { name: 'Remove' }).click();
      await page.getByText('Removed Bob Reader').waitFor();
    };
    await remove();
    await page.getByRole('button', { name: 'Undo' }).click();
    await drawer.getByText('Bob Reader').waitFor();
    // The page that is left still removes them.
    await remove();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Removed Bob Reader').waitFor();
    await page.goto(`${url}/dashboard`);
    const own = async () => (await send(`${url}/api/share?mine=true`, { token })).body.items;
    await expect.poll(own).toMatchObject([{ audience: 'private', readers: [] }]);
  });

  it('outside get a link by email that asks for a code, and are told apart by what became of it', async () => {
    const email = 'ines@studio.example';
    const { page, url, token, made, complaints } = await openShares(browser, [
      { content: 'x', title: 'Plan', audience: 'private' },
    ]);
    await page.goto(`${url}/shares?open=${made[0]?.id}&tab=people`);
    const drawer = drawerOf(page, 'Plan');
    await drawer.getByRole('combobox').fill(email);
    await page.keyboard.press('Enter');
    await drawer.getByRole('button', { name: 'Ask for a code' }).click();
    await drawer.getByText('The link opens only after a code').waitFor();
    await inspect(page, 'shares-people-outside');
    await drawer.getByRole('button', { name: 'Send to 1 person' }).click();
    await page.getByText(`Sent to ${email}`).waitFor();
    await drawer.getByText('Sent', { exact: true }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain(`${email},${email},Sent,`);
    const links = async () =>
      (await send(`${url}/api/share/${made[0]?.id}/links`, { token })).body.items;
    expect(await links()).toMatchObject([{ email, verify: true, endedBy: null }]);
    await drawer.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(() => drawer.getByText(email).count()).toBe(0);
    const removed = page.getByRole('status').filter({ hasText: `Removed ${email}` });
    await removed.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(links).toMatchObject([{ email, endedBy: 'owner' }]);
    expect(complaints).toEqual([]);
  });
});
