import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { hasBrowser, launchBrowser } from '../support/pages/browser.ts';
import {
  expectTold,
  named,
  openFiles,
  startFiles,
  uploadLine,
} from '../support/pages/files-page.ts';

describe.skipIf(!hasBrowser)('an upload without a response', { timeout: 120_000 }, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('fails after a minute at any step and continues on retry', async () => {
    const service = await startFiles();
    const { page } = await openFiles(browser, service);
    await page.clock.install();
    await page.reload();
    await page.getByRole('search').waitFor();
    const retry = page.getByRole('button', { name: 'Try again: a.txt' });
    const stages = [
      ['**/api/files/presign', 'Can’t reach the server.'],
      [`${service.s3}/**`, 'Upload failed. Check your connection'],
      ['**/complete', 'Can’t reach the server.'],
    ] as const;
    for (const [at, [address, told]] of stages.entries()) {
      const arrived = Promise.withResolvers<void>();
      await page.route(address, () => arrived.resolve(), { times: 1 });
      if (at === 0) await page.getByLabel('Upload files').setInputFiles(named('a.txt', 'A'));
      else await retry.click();
      await arrived.promise;
      await page.clock.runFor(61_000);
      await uploadLine(page, 'a.txt').getByText(told).waitFor();
    }
    await retry.click();
    await expectTold(page, '1 file uploaded');
    await page.getByRole('link', { name: 'Download: a.txt' }).waitFor();
  });
});
