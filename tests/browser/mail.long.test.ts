// An email as a mail program shows it, and the local page of sent emails.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { sendInvitation } from '../../functions/api/users/account/account-emails.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { openContext } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { linkOf, mailsTo, useMail } from '../support/service/mail.ts';
import { useTable } from '../support/table/table.ts';
import { newInvited } from '../support/users/test-users.ts';

/** Set this to a folder to store screenshots. */
const screenshots = process.env['SCREENSHOTS'];

const axeSource = await readFile(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
);

useTable();
useMail();

describe.skipIf(!hasBrowser)('an email in a browser', () => {
  const invite = async (name: string) => {
    const { id, email } = await newInvited({ name });
    await sendInvitation(id);
    const [mail] = await mailsTo(email);
    if (!mail) throw new Error('No mail was sent');
    return mail;
  };

  it('is readable in light and dark mode on wide and narrow screens and loads nothing', async () => {
    const { html } = await invite('N'.repeat(100));
    const page = await (await openContext(browser)).newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.setContent(html);
    await page.evaluate(axeSource);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [800, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const view = `${colorScheme}-${width}`;
        if (screenshots) await page.screenshot({ path: `${screenshots}/mail-${view}.png` });
        await expect
          .poll(() => page.evaluate('document.documentElement.scrollWidth'), { message: view })
          .toBe(width);
        const found = await page.evaluate('axe.run({ runOnly: ["wcag2a", "wcag2aa"] })');
        expect(found, view).toMatchObject({ violations: [] });
      }
    }
    expect(requests).toEqual([]);
  });

  it('opens its link from the local mail page in a new tab', async () => {
    const mail = await invite('Ann Example');
    const page = await (await openContext(browser)).newPage();
    await page.context().route('https://handbill.test/**', (route) => route.fulfill({ body: '' }));
    await page.goto(process.env['AWS_ENDPOINT_URL_SESV2'] ?? '');
    await page.getByRole('button', { name: 'Toggle HTML view' }).first().click();
    const link = page
      .frameLocator('iframe')
      .first()
      .getByRole('link', { name: 'Accept invitation' });
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await tab.waitForURL(linkOf(mail));
  });
});
