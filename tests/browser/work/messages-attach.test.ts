import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { ann, attached, bob, ready, start, toBuffer } from '../flows/message-files.ts';

describe.skipIf(!hasBrowser)('files of messages in a browser', () => {
  it('are chosen by keyboard, uploaded and sent, and downloaded by the recipient', async () => {
    const { open, upload } = await start();
    await upload('paper.txt');
    await upload('ink.txt');
    const { page, complaints } = await open(ann, '/messages?new=1');
    await page.getByRole('combobox', { name: 'To' }).fill('Bob');
    await page.getByRole('option', { name: 'bob@example.com' }).click();
    await page.getByLabel('Message', { exact: true }).fill('With files');

    await page.getByRole('button', { name: 'Attach files' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Attach files' });
    await dialog.getByRole('button', { name: /ink\.txt/ }).waitFor();
    await dialog.getByRole('searchbox', { name: 'Search your files' }).fill('pap');
    await expect.poll(() => dialog.getByRole('button', { name: /ink\.txt/ }).count()).toBe(0);
    await dialog.getByRole('button', { name: /paper\.txt/ }).press('Enter');
    await expect
      .poll(() => dialog.getByRole('button', { name: /paper\.txt/ }).getAttribute('aria-pressed'))
      .toBe('true');
    await page.keyboard.press('Escape');
    await expect.poll(() => attached(page)).toEqual(['paper.txt']);

    await page.getByRole('button', { name: 'Attach files' }).click();
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Upload from this device' }).click(),
    ]);
    await chooser.setFiles([toBuffer('one.txt'), toBuffer('two.txt')]);
    await ready(page);
    await expect.poll(async () => (await attached(page)).length).toBe(3);
    await page.getByRole('button', { name: 'Remove two.txt' }).click();
    // They stay with the draft.
    await page.reload();
    await expect.poll(() => attached(page)).toEqual(['paper.txt', 'one.txt']);
    await inspect(page, 'messages-attached');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Message sent').waitFor();
    await expect
      .poll(() => page.locator('.msg .attach b').allInnerTexts())
      .toEqual(['paper.txt', 'one.txt']);
    await page.getByRole('link', { name: 'New message' }).click();
    await page.getByLabel('Message', { exact: true }).waitFor();
    await expect.poll(() => attached(page)).toEqual([]);

    const other = await open(bob, '/messages');
    await other.page.locator('.convs li a').click();
    const link = other.page.getByRole('link', { name: /one\.txt/ });
    const [download] = await Promise.all([other.page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('one.txt');
    // Without the permission for files, nothing can be attached.
    await expect
      .poll(() => other.page.getByRole('button', { name: 'Attach files' }).count())
      .toBe(0);
    expect([...complaints, ...other.complaints]).toEqual([]);
  });
});
