// What lists say of sealed shares, whose links lack the key unless the tab keeps it.
import type { Browser, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { drawerOf, rowsOf } from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';
import { openRecorded, shareSealed, sizes } from '../../support/sealed/composing.ts';
import { openByLink } from '../../support/sealed/opening.ts';
import { secretText } from '../../support/shares/sealed.ts';

const readClipboard = async (page: Page) =>
  String(await page.evaluate('navigator.clipboard.readText()'));

const bob = { email: 'bob@example.com', name: 'Bob Reader', password: 'correct horse' };

const newReader = async (of: Browser, url: string) => {
  const context = await openContext(of, { permissions: ['clipboard-read', 'clipboard-write'] });
  const response = await context.request.post(`${url}/api/auth/register`, {
    data: { ...bob, confirmPassword: bob.password },
    headers: { origin: url },
  });
  expect(response.status()).toBe(201);
  return context;
};

describe.skipIf(!hasBrowser).each(sizes)('a sealed share in lists at $width', (viewport) => {
  it('is copied with its key where the tab has it, and says so where it hasn’t', async () => {
    const { page, context, url, token, sent } = await openRecorded(browser, { viewport });
    await page.getByLabel('Title').fill('Codes of the office');
    const whole = await shareSealed(page, secretText, 'Blue heron');
    const fragment = new URL(whole).hash;

    await page.goto(`${url}/shares`);
    await rowsOf(page).first().getByText('Sealed').waitFor();
    await rowsOf(page).first().getByRole('link', { name: 'Codes of the office' }).press('Enter');
    const drawer = drawerOf(page, 'Codes of the office');
    const facts = drawer.locator('.facts');
    await facts.getByText('The service can’t read it').waitFor();
    const text = await facts.innerText();
    for (const fact of ['Needed besides the link', '1.1 KB, sealed', 'This tab has its key']) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('Password');
    await inspect(page, `sealed-drawer-${viewport.width}`);
    await drawer.getByRole('button', { name: 'Copy link' }).press('Enter');
    await page.getByText('Whole link copied, with its key').waitFor();
    expect(await readClipboard(page)).toBe(whole);
    // It has no revisions to compare.
    await drawer.getByRole('button', { name: 'More actions' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Duplicate' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Revisions' }).count()).toBe(0);
    await page.keyboard.press('Escape');

    await drawer.getByRole('link', { name: 'Links' }).press('Enter');
    await drawer.getByLabel('For', { exact: true }).fill('Ann');
    await drawer.getByRole('button', { name: 'Create link' }).press('Enter');
    await drawer.getByText('Link for Ann created and copied').waitFor();
    const forAnn = await readClipboard(page);
    expect(new URL(forAnn).hash).toBe(fragment);
    expect((await openByLink(forAnn, 'Blue heron')).content.text).toBe(secretText);

    await drawer.getByRole('link', { name: 'People' }).press('Enter');
    await drawer.getByText('Anyone with the whole link can open it.').waitFor();
    await drawer.getByRole('combobox', { name: 'Add people' }).fill('zoe@example.org');
    await page.getByRole('option', { name: 'zoe@example.org' }).waitFor();
    await page.keyboard.press('Enter');
    await drawer.getByText('An email can’t carry the key.').waitFor();
    await drawer.getByRole('button', { name: 'Add 1 person' }).press('Enter');
    await page.getByText('Link created for zoe@example.org').waitFor();
    await drawer.getByRole('button', { name: 'Actions for zoe@example.org' }).press('Enter');
    expect(await page.getByRole('menuitem', { name: 'Send again' }).count()).toBe(0);
    await page.getByRole('menuitem', { name: 'Copy their link' }).press('Enter');
    await page.getByText('Link copied, with its key', { exact: true }).waitFor();
    expect(new URL(await readClipboard(page)).hash).toBe(fragment);

    const other = await openPage(context, `${url}/shares`);
    await rowsOf(other.page).first().getByRole('link', { name: 'Codes of the' }).press('Enter');
    const lacking = drawerOf(other.page, 'Codes of the office');
    await lacking.getByText('Its key isn’t here.').waitFor();
    await lacking.getByRole('button', { name: 'Copy link' }).press('Enter');
    await other.page.getByText('Link copied without its key.').waitFor();
    expect(await readClipboard(other.page)).toBe(whole.slice(0, whole.indexOf('#')));

    await page.goto(`${url}/dashboard`);
    const recent = page.getByRole('listitem').filter({ hasText: 'Codes of the office' });
    await recent.getByRole('button', { name: 'Copy link to Codes' }).press('Enter');
    await page.getByText('Whole link copied, with its key').waitFor();
    expect(await readClipboard(page)).toBe(whole);

    const { body } = await send(`${url}/api/share?mine=true`, { token });
    expect(body.items[0]).toMatchObject({ sealed: true, passphrase: true });
    expect(sent.filter((request) => request.includes(fragment.slice(4)))).toEqual([]);
  });
});

describe.skipIf(!hasBrowser)('a sealed share for someone', () => {
  it('says in their list whom to ask for the whole link', async () => {
    const { page, url, token } = await openRecorded(browser);
    const reader = await newReader(browser, url);
    const whole = await shareSealed(page, secretText);
    const [id = ''] = new URL(whole).pathname.split('/').slice(-1);
    const body = { readers: [bob.email], title: 'Codes' };
    const changed = await send(`${url}/api/share/${id}`, { method: 'PUT', token, body });
    expect(changed.status).toBe(200);
    await expect
      .poll(
        async () => (await (await reader.request.get(`${url}/api/share/received`)).json()).items,
      )
      .toMatchObject([{ title: 'Codes', sealed: true }]);
    const { page: list } = await openPage(reader, `${url}/shares?with=me`);
    await list.getByText('ask Ann for the whole link').waitFor();
    await inspect(list, 'sealed-received');
    await rowsOf(list).first().getByText('Sealed').waitFor();
    await list.getByRole('button', { name: 'Actions for Codes' }).press('Enter');
    await list.getByRole('menuitem', { name: 'Copy link' }).press('Enter');
    await list.getByText('Link copied without its key.').waitFor();
  });
});
