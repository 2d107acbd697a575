// Clearing the list of uploads frees the storage of what will never be sent, and of nothing else.

import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  expectTold,
  line,
  named,
  openFiles,
  startFiles,
  uploadLine,
} from '../../support/pages/files-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('clearing the list of uploads', () => {
  const open = async () => {
    const service = await startFiles();
    const opened = await openFiles(browser, service);
    const { page, token } = opened;
    const deleted: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'DELETE') deleted.push(new URL(request.url()).pathname);
    });
    return {
      ...opened,
      service,
      deleted,
      upload: (name: string) =>
        page.locator('#choose').setInputFiles(named(name, `The text of ${name}`)),
      usage: async () => (await send(`${service.url}/api/files/usage`, { token })).body.data,
    };
  };

  const clear = (page: Page) => page.getByRole('button', { name: 'Clear list' }).click();
  const uploads = (page: Page) => page.locator('.tray');

  it('keeps a file whose completion got no response', async () => {
    const { page, upload, deleted, usage } = await open();
    await page.route('**/complete', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await upload('whole.txt');
    await uploadLine(page, 'whole.txt').getByText('Can’t reach the server.').waitFor();
    await clear(page);
    await expect.poll(() => uploads(page).isVisible()).toBe(false);
    await page.reload();
    await line(page, 'whole.txt').waitFor();
    expect(deleted).toEqual([]);
    expect((await usage()).files).toBe(1);
  });

  it('keeps a file that the service is still processing', async () => {
    const { page, upload, deleted, token, service } = await open();
    const message = 'The upload is being processed. Repeat the request.';
    let completed = '';
    await page.route('**/complete', async (route) => {
      completed = new URL(route.request().url()).pathname;
      await route.fulfill({ status: 503, json: { success: false, error: { message } } });
    });
    await upload('slow.txt');
    await uploadLine(page, 'slow.txt').getByText(message).waitFor();
    await clear(page);
    await page.request.get(`${service.url}/health`);
    expect(deleted).toEqual([]);
    const later = await send(service.url + completed, { method: 'POST', token, body: {} });
    expect(later.status).toBe(200);
  });

  it('frees the storage of an unsent upload and continues running ones', async () => {
    const { page, upload, usage, service } = await open();
    const held = Promise.withResolvers<void>();
    let sent = 0;
    await page.route(`${service.s3}/**`, async (route) => {
      sent += 1;
      if (sent === 1) return route.abort();
      await held.promise;
      await route.fallback();
    });
    // Small files go through the API where storage can’t be reached.
    const large = named('lost.txt', randomBytes(5 * 1_024 ** 2));
    await page.locator('#choose').setInputFiles(large);
    await uploadLine(page, 'lost.txt').getByText('Upload failed. Check your connection').waitFor();
    await upload('held.txt');
    await uploadLine(page, 'held.txt').getByRole('progressbar').waitFor();
    await expect.poll(() => sent).toBe(2);
    await clear(page);
    await expect.poll(async () => (await usage()).used).toBe('The text of held.txt'.length);
    await expect.poll(() => uploadLine(page, 'lost.txt').count()).toBe(0);
    await expect.poll(() => uploadLine(page, 'held.txt').count()).toBe(1);
    held.resolve();
    await expectTold(page, '1 file uploaded');
    expect(await usage()).toMatchObject({ files: 1 });
  });
});
