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
  watchUploads,
} from '../../support/pages/files-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

const mb = 1_024 ** 2;

describe.skipIf(!hasBrowser)('the page of files in a browser', () => {
  it('supports signing in, uploading, downloading and deleting', async () => {
    const service = await startFiles();
    const { url } = service;
    await service.newUser('ann@example.com');
    const context = await openContext(browser);
    const { page, complaints, origins } = await openPage(context, `${url}/files`);
    await page.waitForURL(`${url}/login?next=/files`);
    await page.getByLabel('Email').fill('ann@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${url}/files`);
    await page.getByText('No files yet').waitFor();
    await page.getByText('0 bytes of 1 GB used').waitFor();

    const small = named('notes & <b>.txt', 'A small text');
    const large = named('Ünïcode film.bin', randomBytes(6 * mb));
    const picture = named('dot.png', await page.screenshot());
    await page.locator('#choose').setInputFiles([small, large, picture]);
    await expectTold(page, '3 files uploaded');
    const stored = small.buffer.length + large.buffer.length + picture.buffer.length;
    await expect
      .poll(() => page.getByRole('meter').evaluate((meter) => (meter as never)['value']))
      .toBe(stored);
    await expect
      .poll(() => page.locator('#used').innerText())
      .toMatch(/^6(\.\d)? MB of 1 GB used$/);
    await expect
      .poll(async () => (await names(page)).sort())
      .toEqual([picture.name, small.name, large.name].sort());

    for (const { name, buffer } of [small, large]) {
      expect(await downloaded(page, () => choose(page, name, 'Download'))).toEqual({
        name: name.replace(/[<>]/g, '_'),
        hash: sha256(buffer),
      });
    }
    expect(page.url()).toBe(`${url}/files`);

    // Each is shown beside the list: pictures and texts as they are.
    const drawer = (name: string) => page.getByRole('dialog', { name });
    await page.getByRole('link', { name: picture.name, exact: true }).click();
    const image = drawer(picture.name).getByRole('img');
    await expect
      .poll(() => image.evaluate((one) => (one as never)['naturalWidth']))
      .toBeGreaterThan(0);
    // The uploads are beside the drawer: its actions can be used.
    await drawer(picture.name).getByRole('button', { name: 'Download' }).click({ trial: true });
    await page.goBack();
    await expect.poll(() => drawer(picture.name).count()).toBe(0);
    await page.getByRole('link', { name: small.name, exact: true }).click();
    await drawer(small.name).frameLocator('iframe').getByText('A small text').waitFor();
    await page.reload();
    await drawer(small.name).frameLocator('iframe').getByText('A small text').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: large.name, exact: true }).click();
    await drawer(large.name).getByText('No preview for this type of file.').waitFor();
    const download = drawer(large.name).getByRole('button', { name: 'Download' });
    expect((await downloaded(page, () => download.click())).hash).toBe(sha256(large.buffer));
    await drawer(large.name).getByRole('button', { name: 'Close' }).click();

    await choose(page, large.name, 'Delete');
    await page.getByText(`“${large.name}” deleted`).waitFor();
    await expect.poll(() => line(page, large.name).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await line(page, large.name).waitFor();
    await choose(page, large.name, 'Delete');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('link', { name: /MB in the trash$/ }).waitFor();
    await expect.poll(() => line(page, large.name).count()).toBe(0);
    expect(complaints).toEqual([]);
    expect([...origins].sort()).toEqual([service.s3, url].sort());
  });

  it('shows upload progress, cancels and retries', async () => {
    const service = await startFiles();
    const { page, context, token } = await openFiles(browser, service);
    const { url, s3 } = service;
    const large = named('large.bin', randomBytes(6 * mb));
    const upload = uploadLine(page, large.name);
    const bar = upload.getByRole('progressbar', { name: 'Uploading large.bin' });
    const usage = async () => (await send(`${url}/api/files/usage`, { token })).body.data;

    const cdp = await context.newCDPSession(page);
    const throttle = (uploadThroughput: number) =>
      cdp.send('Network.emulateNetworkConditions', {
        offline: false,
        latency: 0,
        downloadThroughput: -1,
        uploadThroughput,
      });
    await cdp.send('Network.enable');
    await throttle(mb / 5);
    const told = await watchUploads(page);
    await page.locator('#choose').setInputFiles(large);
    const percents = async () =>
      (await told()).filter((text) => text.endsWith('%')).map((text) => Number.parseInt(text, 10));
    await expect.poll(async () => new Set(await percents()).size).toBeGreaterThan(3);
    const seen = await percents();
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(await bar.evaluate((element) => (element as never)['value'])).toBeGreaterThan(0);
    await inspect(page, 'files-uploading');
    await expect.poll(async () => (await usage()).used).toBe(large.buffer.length);
    await upload.getByRole('button', { name: 'Cancel: large.bin' }).click();
    await upload.getByText('Canceled').waitFor();
    await expect.poll(async () => (await usage()).used).toBe(0);
    await throttle(-1);

    let isAway = true;
    await page.route(`${s3}/**`, (route) => (isAway ? route.abort() : route.fallback()));
    await upload.getByRole('button', { name: 'Try again: large.bin' }).click();
    await upload.getByText('Upload failed. Check your connection').waitFor();
    await expectTold(page, '1 file failed to upload');
    isAway = false;
    let responses = 0;
    await page.route('**/complete', async (route) => {
      responses += 1;
      if (responses > 1) return route.fallback();
      await route.fetch();
      await route.abort();
    });
    await upload.getByRole('button', { name: 'Try again: large.bin' }).click();
    await expectTold(page, '1 file uploaded');
    expect(responses).toBe(2);
    await expect.poll(() => usage()).toMatchObject({ used: large.buffer.length, files: 1 });
    await page.getByRole('button', { name: 'Clear list' }).click();
    await expect.poll(() => page.locator('.tray').isVisible()).toBe(false);
  });
});
