// An email as a mail program shows it, and the local page of sent emails.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sendInvitation } from '../../functions/api/users/account/account-emails.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { inspect, openContext } from '../support/pages/open-page.ts';
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

const invite = async (name: string) => {
  const { id, email } = await newInvited({ name });
  await sendInvitation(id);
  const [mail] = await mailsTo(email);
  if (!mail) throw new Error('No mail was sent');
  return mail;
};

describe.skipIf(!hasBrowser)('an email in a browser', () => {
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
});

describe.skipIf(!hasBrowser)('the mailbox of the local run', () => {
  const mailbox = () => process.env['AWS_ENDPOINT_URL_SESV2'] ?? '';
  const rows = (page: Page) => page.locator('#list li');

  it('opens the newest email, keeps it while others come in, and follows its first link', async () => {
    const mail = await invite('Ann Example');
    const page = await (await openContext(browser)).newPage();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(new URL(request.url()).origin));
    await page.context().route('https://handbill.test/**', (route) => route.fulfill({ body: '' }));
    await page.goto(mailbox());
    const heading = page.getByRole('heading', { level: 2 });
    await expect.poll(() => heading.innerText()).toBe('You’re invited to Handbill');
    const before = await rows(page).count();
    const to = await page.locator('#to').innerText();
    expect(to).toContain(mail.to[0]);
    await invite('Bob Example');
    await expect.poll(() => rows(page).count()).toBe(before + 1);
    expect(await page.locator('#to').innerText()).toBe(to);
    expect(await page.locator('#list [aria-current] b').innerText()).toBe(mail.to[0]);
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open link' }).click(),
    ]);
    await tab.waitForURL(linkOf(mail));
    await tab.close();
    const link = page.frameLocator('#frame').getByRole('link', { name: 'Accept invitation' });
    const [other] = await Promise.all([page.context().waitForEvent('page'), link.click()]);
    await other.waitForURL(linkOf(mail));
    expect([...new Set(requests)]).toEqual([new URL(mailbox()).origin]);
  });

  it('shows an email as plain text and as source, on phones too, and is accessible', async () => {
    const mail = await invite('Ann Example');
    const page = await (await openContext(browser)).newPage();
    await page.goto(mailbox());
    await page.getByRole('button', { name: 'Plain text' }).click();
    await expect.poll(() => page.locator('#plain').textContent()).toBe(mail.text);
    await page.getByRole('button', { name: 'Source' }).click();
    await expect.poll(() => page.locator('#plain').innerText()).toContain('<!doctype html>');
    await inspect(page, 'mailbox-plain');
    await page.getByRole('button', { name: 'Email', exact: true }).click();
    await page.setViewportSize({ width: 390, height: 664 });
    await page.getByRole('button', { name: 'Emails' }).click();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 2 }).waitFor();
    expect(await page.locator('#list').isVisible()).toBe(false);
    // Back leads to the list, which has its search on phones, too.
    await page.goBack();
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('A');
    await page.getByRole('searchbox', { name: 'Search emails' }).fill('nothing like this');
    await page.getByText('No email matches.').waitFor();
  });

  it('runs no script of an email, and loads nothing for it', async () => {
    const client = new SESv2Client({ endpoint: mailbox() });
    const Html = {
      Data: '<p id="a">Hi</p><script>parent.document.title = "x"</script><img src="https://a.invalid/p.png">',
    };
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: 'handbill@example.com',
        Destination: { ToAddresses: ['ann@example.com'] },
        Content: { Simple: { Subject: { Data: 'Hostile' }, Body: { Html } } },
      }),
    );
    client.destroy();
    const page = await (await openContext(browser)).newPage();
    const sent: string[] = [];
    await page.context().route('https://a.invalid/**', (route) => {
      sent.push(route.request().url());
      return route.abort();
    });
    await page.goto(mailbox());
    await page.frameLocator('#frame').getByText('Hi').waitFor();
    expect(await page.title()).toBe('Mailbox of this run · Handbill');
    expect(sent).toEqual([]);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No emails yet.').waitFor();
  });
});
