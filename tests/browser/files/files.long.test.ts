import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  downloaded,
  expectTold,
  line,
  named,
  names,
  openFiles,
  sha256,
  startFiles,
  uploadLine,
} from '../../support/pages/files-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

const mb = 1_024 ** 2;

describe.skipIf(!hasBrowser)('the page of files in a browser', () => {
  it('uploads dropped files to the current folder and rejects folders', async () => {
    const service = await startFiles();
    const { page, complaints } = await openFiles(browser, service);
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Photos');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Folder “Photos” created').waitFor();
    await page.getByRole('link', { name: 'Photos', exact: true }).click();
    await page.getByText('This folder is empty').waitFor();
    expect(page.url()).toBe(`${service.url}/files?folder=Photos`);
    const drop = (type: string) => `{
      const data = new DataTransfer();
      const bytes = new Uint8Array(6 * 1024 * 1024);
      for (let at = 0; at < bytes.length; at += 65536) crypto.getRandomValues(bytes.subarray(at, at + 65536));
      data.items.add(new File([bytes], 'dropped.bin'));
      data.items.add(new File(['small'], 'dropped.txt'));
      document.body.dispatchEvent(new DragEvent('${type}', { dataTransfer: data, bubbles: true, cancelable: true }));
    }`;
    await page.evaluate(drop('dragover'));
    await page.getByText('Drop to upload to Photos').waitFor();
    await inspect(page, 'files-dropping');
    await page.evaluate(drop('drop'));
    await expectTold(page, '2 files uploaded');
    await expect.poll(() => page.getByText('Drop to upload to Photos').isVisible()).toBe(false);
    await expect
      .poll(async () => (await names(page)).sort())
      .toEqual(['dropped.bin', 'dropped.txt']);
    await page.evaluate(`{
      const item = { kind: 'file', getAsFile: () => new File([], 'x'), webkitGetAsEntry: () => ({ isDirectory: true }) };
      const event = new Event('drop', { bubbles: true, cancelable: true });
      event.dataTransfer = { types: ['Files'], items: [item] };
      document.body.dispatchEvent(event);
    }`);
    await page.getByText('Folders can’t be uploaded, only files.').waitFor();
    await page.goBack();
    await line(page, 'Photos').waitFor();
    await expect.poll(() => names(page)).toEqual(['Photos']);
    expect(complaints).toEqual([]);
  });

  it('reports an exceeded quota and the storage that is free again', async () => {
    const { page } = await openFiles(browser, await startFiles('1MB'));
    const fits = named('fits.bin', randomBytes(0.7 * mb));
    await page.locator('#choose').setInputFiles(fits);
    await expectTold(page, '1 file uploaded');
    const upload = uploadLine(page, 'more.bin');
    await page.locator('#choose').setInputFiles(named('more.bin', randomBytes(0.5 * mb)));
    await upload.getByText(/Storage quota exceeded: .* of 1 MB free/).waitFor();
    await inspect(page, 'files-full');
    await choose(page, 'fits.bin', 'Delete');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('link', { name: '716.8 KB in the trash' }).click();
    await page.getByRole('button', { name: 'Empty trash' }).click();
    await page.getByRole('button', { name: 'Delete for good', exact: true }).click();
    await page.getByText('0 bytes of 1 MB used').waitFor();
    await upload.getByRole('button', { name: 'Try again: more.bin' }).click();
    await expectTold(page, '2 files uploaded');
    await page.getByText('512 KB of 1 MB used').waitFor();
  });

  it('requests a new form after expiry and waits for a signed-out user', async () => {
    const service = await startFiles();
    const { url, s3 } = service;
    const { page, context, token } = await openFiles(browser, service);
    const file = named('late.txt', 'Late');
    const upload = uploadLine(page, file.name);
    const retry = upload.getByRole('button', { name: 'Try again: late.txt' });
    const keys: (string | undefined)[] = [];
    await page.route('**/api/files/presign', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const response = await route.fetch();
      const { data, ...rest } = await response.json();
      if (!data) return route.fulfill({ response });
      const expiresAt = keys.length === 1 ? new Date(0).toISOString() : data.expiresAt;
      await route.fulfill({ response, json: { ...rest, data: { ...data, expiresAt } } });
    });
    await page.route(`${s3}/**`, (route) =>
      keys.length > 1
        ? route.fallback()
        : route.fulfill({ status: 403, headers: { 'access-control-allow-origin': url } }),
    );
    await page.locator('#choose').setInputFiles(file);
    await upload.getByText('The upload was rejected. Try again.').waitFor();

    await context.clearCookies();
    await retry.click();
    // The user signs in over the page, and the upload goes on.
    const again = page.locator('#sign-in-again');
    await again.getByLabel('Password').fill('correct horse');
    await again.getByRole('button', { name: 'Sign in' }).click();
    await expectTold(page, '1 file uploaded');
    expect(new Set(keys).size).toBeGreaterThan(1);
    const { body } = await send(`${url}/api/files`, { token });
    expect(body.data.items).toMatchObject([{ name: file.name, size: file.buffer.length }]);
  });

  it('asks before leaving during uploads, but not for a download', async () => {
    const service = await startFiles();
    const { page } = await openFiles(browser, service);
    await page.locator('#choose').setInputFiles(named('there.txt', 'There'));
    await expectTold(page, '1 file uploaded');
    const asked: string[] = [];
    page.on('dialog', (dialog) => asked.push(dialog.type()));
    const held = Promise.withResolvers<void>();
    await page.route(`${service.s3}/**`, async (route) => {
      if (route.request().method() === 'POST') await held.promise;
      await route.fallback();
    });
    await page.locator('#choose').setInputFiles(named('held.txt', 'Held'));
    await uploadLine(page, 'held.txt').getByRole('progressbar').waitFor();
    expect((await downloaded(page, () => choose(page, 'there.txt', 'Download'))).hash).toBe(
      sha256(Buffer.from('There')),
    );
    expect(asked).toEqual([]);
    held.resolve();
    await expectTold(page, '2 files uploaded');

    const never = new Promise<void>(() => {});
    await page.route('**/api/files/presign', () => never);
    await page.locator('#choose').setInputFiles(named('lost.txt', 'Lost'));
    await uploadLine(page, 'lost.txt').getByRole('progressbar').waitFor();
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);
  });
});
