// What a user asks people without an account for: asked in the console, handed in without it, and seen there.
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import {
  chooseAction,
  drawerOf,
  namesOf,
  openShares,
  rowsOf,
} from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the requests at /shares', () => {
  it('are created, show what was handed in, and are changed, closed and deleted', async () => {
    const { page, url, token, complaints } = await openShares(browser, []);
    await page.getByRole('link', { name: 'Requests' }).click();
    expect(page.url()).toBe(`${url}/shares?with=requests`);
    await page.getByRole('heading', { name: 'Nothing asked for yet' }).waitFor();
    await inspect(page, 'requests-none');

    await page.getByRole('button', { name: 'Ask for content' }).click();
    const dialog = page.getByRole('dialog', { name: 'Ask for content' });
    await dialog.getByLabel('How many can hand something in').fill('101');
    await dialog.getByLabel('Password').selectOption('Choose one');
    await dialog.getByLabel('The password').fill('short');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText('Enter what you ask for.').waitFor();
    await dialog.getByText('Enter a number from 1 to 100.').waitFor();
    await dialog.getByText('Enter 6 letters or digits.').waitFor();
    await inspect(page, 'requests-wrong');
    await dialog.getByLabel('What do you ask for?').fill('Logs of the outage');
    await dialog.getByLabel('Note').fill('From 9 to 10, please.');
    await dialog.getByLabel('How many can hand something in').fill('2');
    await dialog.getByLabel('The password').fill('Sesam1');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const drawer = drawerOf(page, 'Logs of the outage');
    await drawer.getByText('Nothing handed in yet.').waitFor();

    const list = () => send(`${url}/api/share/requests`, { token });
    const { items } = (await list()).body;
    expect(items).toMatchObject([
      { title: 'Logs of the outage', submissions: 2, protected: true, status: 'open' },
    ]);
    const visitor = await (await openContext(browser, { javaScriptEnabled: false })).newPage();
    await visitor.goto(items[0].url);
    await visitor.getByLabel('Password').fill('Sesam1');
    await visitor.getByRole('button', { name: 'Continue' }).click();
    await visitor.getByLabel('Your name').fill('<b>Mei</b>');
    await visitor.getByLabel('Text', { exact: true }).fill('It began at 09:12.');
    await visitor.getByRole('button', { name: 'Send' }).click();
    await visitor.getByRole('heading', { name: 'Received' }).waitFor();
    const receipt = await visitor.locator('dd').innerText();

    await page.reload();
    await drawer.getByText('From outside: <b>Mei</b>').waitFor();
    await drawer.getByText(`Receipt ${receipt}`).waitFor();
    await rowsOf(page).getByText('1 of 2', { exact: true }).waitFor();
    await inspect(page, 'requests-drawer');
    await drawer.getByRole('button', { name: 'Edit' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit “Logs of the outage”' });
    await edit.getByLabel('Password').selectOption('None');
    await edit.getByLabel('How many can hand something in').fill('1');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'hidden' });
    await page.getByText('“Logs of the outage” saved').waitFor();
    await drawer.getByText('Complete').waitFor();
    expect((await list()).body.items).toMatchObject([
      { note: 'From 9 to 10, please.', protected: false, status: 'full' },
    ]);
    await drawer.getByRole('button', { name: 'Edit' }).click();
    await edit.getByLabel('How many can hand something in').fill('3');
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.waitFor({ state: 'hidden' });
    await drawer.getByText('Open', { exact: true }).waitFor();
    await page.keyboard.press('Escape');

    await chooseAction(page, 'Logs of the outage', 'Close');
    await rowsOf(page).getByText('Closed').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('“Logs of the outage” is open again').waitFor();
    await chooseAction(page, 'Logs of the outage', 'Delete');
    await page.getByRole('heading', { name: 'Nothing asked for yet' }).waitFor();
    await page.getByRole('link', { name: 'Mine' }).click();
    await rowsOf(page).getByText('From outside: <b>Mei</b>').waitFor();
    expect(await namesOf(page)).toEqual(['Logs of the outage']);
    await expect.poll(async () => (await list()).body.items).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
