// An upload whose requests get no response, on the page. The client’s own limits are in `web/client/`.

import { randomBytes } from 'node:crypto';
import { describe, it } from 'vitest';
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

describe.skipIf(!hasBrowser)('an upload without a response', () => {
  it('fails after a minute at any step and continues on retry', async () => {
    const service = await startFiles();
    const { page } = await openFiles(browser, service);
    await page.clock.install();
    await page.reload();
    await page.locator('#files .tools').waitFor();
    const retry = page.getByRole('button', { name: 'Try again: a.txt' });
    // Small files go through the API where storage can’t be reached.
    const large = named('a.txt', randomBytes(5 * 1_024 ** 2));
    const stages = [
      ['**/api/files/presign', 'The server took too long to respond.'],
      [`${service.s3}/**`, 'Upload failed. Check your connection'],
      ['**/complete', 'The server took too long to respond.'],
    ] as const;
    for (const [at, [address, told]] of stages.entries()) {
      const arrived = Promise.withResolvers<void>();
      await page.route(address, () => arrived.resolve(), { times: 1 });
      if (at === 0) await page.locator('#choose').setInputFiles(large);
      else await retry.click();
      await arrived.promise;
      await page.clock.runFor(61_000);
      await uploadLine(page, 'a.txt').getByText(told).waitFor();
    }
    await retry.click();
    await expectTold(page, '1 file uploaded');
    await line(page, 'a.txt').waitFor();
  });
});
