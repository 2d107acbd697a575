import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  expectTold,
  line,
  named,
  names,
  openFiles,
  signIn,
  startFiles,
} from '../../support/pages/files-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('the trash and the readers of files in a browser', () => {
  it('restores a deleted file, and empties the trash', async () => {
    const service = await startFiles();
    const { page, token, complaints } = await openFiles(browser, service);
    const usage = async () => (await send(`${service.url}/api/files/usage`, { token })).body.data;
    await page
      .locator('#choose')
      .setInputFiles(['a.txt', 'b.txt', 'c.txt'].map((name) => named(name, name)));
    await expectTold(page, '3 files uploaded');
    await page.getByRole('button', { name: 'Clear list' }).click();
    for (const name of ['a.txt', 'b.txt']) {
      await choose(page, name, 'Delete');
      await page.getByText(`“${name}” deleted`).waitFor();
      await page.getByRole('button', { name: 'Dismiss' }).click();
    }
    await page.getByRole('link', { name: '10 bytes in the trash' }).click();
    await expect.poll(async () => (await names(page)).sort()).toEqual(['a.txt', 'b.txt']);
    await inspect(page, 'files-trash');
    await choose(page, 'a.txt', 'Restore');
    await page.getByText('“a.txt” restored').waitFor();
    await expect.poll(() => names(page)).toEqual(['b.txt']);

    await page.getByRole('button', { name: 'Empty trash' }).click();
    await page.getByRole('dialog', { name: 'Delete “b.txt” for good?' }).waitFor();
    await page.getByRole('button', { name: 'Delete for good', exact: true }).click();
    await page.getByText('The trash is empty').waitFor();
    await expect.poll(usage).toMatchObject({ used: 10, trashed: 0, files: 2 });
    await page.getByLabel('Show', { exact: true }).selectOption('My files');
    await expect.poll(async () => (await names(page)).sort()).toEqual(['a.txt', 'c.txt']);
    expect(complaints).toEqual([]);
  });

  it('shares a file with a person, who finds and reads it', async () => {
    const service = await startFiles();
    const { page, complaints } = await openFiles(browser, service);
    await service.newUser('bob@example.com', []);
    await page.locator('#choose').setInputFiles(named('plan.txt', 'The plan'));
    await expectTold(page, '1 file uploaded');
    await choose(page, 'plan.txt', 'Share');
    const dialog = page.getByRole('dialog', { name: 'Share “plan.txt”' });
    await dialog.getByRole('combobox', { name: 'Add people' }).fill('bob@example.com');
    await dialog.getByRole('listbox').getByRole('option').first().click();
    await inspect(page, 'files-share');
    await dialog.getByRole('button', { name: 'Share', exact: true }).click();
    await dialog.getByText('Shared with bob').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await line(page, 'plan.txt').getByText('1 person').waitFor();

    const context = await openContext(browser, {});
    await signIn(context, service.url, 'bob@example.com');
    const other = await openPage(context, `${service.url}/files?show=shared`);
    const row = line(other.page, 'plan.txt');
    await row.getByText('Can read').waitFor();
    expect(await row.getByRole('button', { name: 'Actions for plan.txt' }).count()).toBe(1);
    await row.getByRole('link', { name: 'plan.txt' }).click();
    const drawer = other.page.getByRole('dialog', { name: 'plan.txt' });
    await drawer.locator('iframe').waitFor();

    await choose(page, 'plan.txt', 'Share');
    await dialog.getByRole('combobox', { name: 'What bob can do' }).selectOption('Remove');
    await dialog.getByText('Removed bob').waitFor();
    await other.page.reload();
    await other.page.getByText('No one has shared a file with you yet').waitFor();
    expect(complaints).toEqual([]);
  });
});
