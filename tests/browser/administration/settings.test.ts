// The settings as an administrator sees them. What they say is in `api/settings/`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { root, startConsole } from '../../support/pages/console-service.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { startOwnService } from '../../support/run/fresh-service.ts';

describe.skipIf(!hasBrowser)('the settings in a browser', () => {
  it('shows the health, today and the configuration, and sends a test email', async () => {
    const { open } = await startConsole(browser, [], startOwnService);
    const { page, complaints } = await open(root, '/settings');
    const badge = (part: string) => page.locator(`#part-${part} .badge`).innerText();
    // Jobs of the sign-in may still run.
    await page.getByText(/\d+ waiting, \d+ running, \d+ due later/).waitFor();
    expect([await badge('table'), await badge('bucket'), await badge('queue')]).toEqual([
      'Works',
      'Works',
      'Works',
    ]);
    const row = (name: string) => page.getByRole('row', { name }).locator('td').allInnerTexts();
    await expect
      .poll(() => row('Registration Who'))
      .toEqual(['Anyone can register', 'REGISTRATION']);
    await expect
      .poll(() => row('Shares are at most for'))
      .toEqual([
        expect.stringMatching(/^Anyone with the link\nBut not everyone here while anyone can /),
        'MAX_AUDIENCE',
      ]);
    await expect.poll(() => row('Stage')).toEqual(['local', 'stage']);
    await expect.poll(() => row('Unused sessions last')).toEqual(['7 days', 'JWT_REFRESH_EXPIRES']);
    await inspect(page, 'settings');
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText(`Test email sent to ${root}`).waitFor();
    expect(complaints).toEqual([]);
  });
});
