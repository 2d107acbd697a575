import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('files of messages in a browser', () => {
  const ann = 'ann@example.com';
  const bob = 'bob@example.com';
  const attached = async (page: Page) => {
    const names = await page.locator('.attached li > .cut').allInnerTexts();
    return names;
  };
  const ready = (page: Page) =>
    expect.poll(() => page.locator('.attached progress').count()).toBe(0);
  const toBuffer = (name: string) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(`About ${name}`),
  });
  const drop = (page: Page, name: string) =>
    page.locator('.write').evaluate((form, fileName) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['Dropped'], fileName));
      form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    }, name);

  const start = async () => {
    const service = await startConsole(browser, [
      { name: 'Ann', permissions: ['messages:*', 'files:*', 'users:view'] },
      { name: 'Bob', permissions: ['messages:*'] },
    ]);
    const { url, signIn, find } = service;
    const token = await signIn(ann);
    const upload = async (name: string): Promise<number> => {
      const body = new FormData();
      body.append('file', new File(['Ink'], name));
      const headers = { authorization: `Bearer ${token}` };
      const made = await fetch(`${url}/api/files/upload`, { method: 'POST', headers, body });
      expect(made.status).toBe(201);
      return (await made.json()).data.id;
    };
    const write = async () => {
      const body = { recipients: [(await find('bob')).id], content: 'Hi', subject: 'One' };
      const made = await send(`${url}/api/messages`, { method: 'POST', token, body });
      expect(made.status).toBe(201);
    };
    return { ...service, token, upload, write };
  };

  it('are chosen by keyboard, uploaded and sent, and downloaded by the recipient', async () => {
    const { open, upload } = await start();
    await upload('paper.txt');
    await upload('ink.txt');
    const { page, complaints } = await open(ann, '/messages?new=1');
    await page.getByRole('searchbox', { name: 'Name or email' }).fill('Bob');
    await page.getByRole('button', { name: 'bob@example.com' }).press('Enter');
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
    await inspect(page, 'messages-attach');
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
    expect(await attached(page)).toEqual([]);

    const other = await open(bob, '/messages');
    await other.page.locator('.convs li a').click();
    const link = other.page.getByRole('link', { name: /one\.txt/ });
    const [download] = await Promise.all([other.page.waitForEvent('download'), link.click()]);
    expect(download.suggestedFilename()).toBe('one.txt');
    // Without the permission for files, nothing can be attached.
    expect(await other.page.getByRole('button', { name: 'Attach files' }).count()).toBe(0);
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

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
    expect(await submit.getAttribute('title')).toBe('Wait for the uploads, or remove them.');
    await page.locator('.write textarea').press('Control+Enter');
    expect(await page.locator('.msg').count()).toBe(1);
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
    expect(await attached(page)).toEqual([]);
  });
});
