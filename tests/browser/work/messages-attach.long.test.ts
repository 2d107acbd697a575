import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { send } from '../../support/run/process.ts';
import { ann, attached, drop, ready, start } from '../flows/message-files.ts';

describe.skipIf(!hasBrowser)('files of messages in a browser', () => {
  it('are dropped on a reply, at most ten, and not sent while an upload fails', async () => {
    const { open, write, upload, url, token } = await start();
    await write();
    const { page } = await open(ann, '/messages?show=sent');
    await page.locator('.convs li a').click();
    await page.locator('.write textarea').fill('See these');
    await page.route('**/api/files/presign', (route) => route.abort());
    await drop(page, 'plan.txt');
    await page.getByRole('button', { name: 'Upload plan.txt again' }).waitFor();
    const submit = page.getByRole('button', { name: 'Send' });
    await expect
      .poll(() => submit.getAttribute('title'))
      .toBe('Wait for the uploads, or remove them.');
    await page.locator('.write textarea').press('Control+Enter');
    await expect.poll(() => page.locator('.msg').count()).toBe(1);
    await page.unroute('**/api/files/presign');
    await page.getByRole('button', { name: 'Upload plan.txt again' }).click();
    await ready(page);
    await expect.poll(() => attached(page)).toEqual(['plan.txt']);

    // A file that is deleted meanwhile is named as the reason.
    const id = await upload('gone.txt');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await page.getByRole('button', { name: /gone\.txt/ }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await send(`${url}/api/files/${id}`, { method: 'DELETE', token });
    await submit.click();
    await page.getByText('An attached file was deleted.').waitFor();
    await page.getByRole('button', { name: 'Remove gone.txt' }).click();

    for (let at = 2; at <= 11; at += 1) await drop(page, `${at}.txt`);
    await page.getByText('A message can have at most 10 files.').waitFor();
    await ready(page);
    await expect.poll(async () => (await attached(page)).length).toBe(10);
    await submit.click();
    await expect.poll(() => page.locator('.msg').count()).toBe(2);
    await expect.poll(() => page.locator('.msg .attach').count()).toBe(10);
    await expect.poll(() => attached(page)).toEqual([]);
  });
});
