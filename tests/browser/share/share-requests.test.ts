import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const phone = { width: 390, height: 664 };

describe.skipIf(!hasBrowser)('the page of a share request', () => {
  it('takes a text and files on a phone without a script, and keeps what was typed after a mistake', async () => {
    const { ask } = await serveShares();
    const { id, url } = await ask('POST /api/share/requests', {
      title: 'Logs of the outage',
      note: 'From 9 to 10, please.',
      submissions: 2,
      password: 'Sesam1',
    });
    const context = await openContext(browser, { javaScriptEnabled: false, viewport: phone });
    const { page } = await openPage(context, url);
    await page.getByLabel('Password').fill('Sesam1');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Logs of the outage' }).waitFor();
    await page.getByText('From 9 to 10, please.').waitFor();
    await page.getByText('Ann Example asks you for something').waitFor();

    const file = (name: string, text: string) => ({
      name,
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(text),
    });
    await page.getByLabel('Your name').fill('Mei');
    await page.getByLabel('Text', { exact: true }).fill('It began at 09:12.');
    await page.getByText('Markdown').click();
    await page.getByLabel('Files').setInputFiles([file('photo.png', '\x89PNG\0')]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('“photo.png” isn’t a text file.').waitFor();
    expect(await page.getByLabel('Your name').inputValue()).toBe('Mei');
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('It began at 09:12.');
    expect(await page.getByLabel('Markdown').isChecked()).toBe(true);

    await page
      .getByLabel('Files')
      .setInputFiles([file('a.log', 'Line 1\n'), file('b.log', 'Line 2\n')]);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Received' }).waitFor();
    const receipt = await page.locator('dd').innerText();
    const { submitted } = await ask(`GET /api/share/requests/${id}`);
    expect(submitted).toMatchObject([{ receipt, share: { submittedBy: 'Mei' } }]);
    const share = await ask(`GET /api/share?id=${submitted[0].share.id}&mine=true`);
    expect(share.content).toMatch(/It began at 09:12\..*Line 1.*Line 2/s);
    await page.reload();
    await page.getByText(receipt).waitFor();
    expect((await ask(`GET /api/share/requests/${id}`)).taken).toBe(1);
  });

  it('can be read and pressed by everyone', async () => {
    const { ask } = await serveShares();
    const { id, url } = await ask('POST /api/share/requests', {
      title: `Logs${'x'.repeat(150)}`,
      note: 'y'.repeat(300),
    });
    const { page, complaints, origins } = await openPage(await openContext(browser), url);
    await inspect(page, 'request');
    await page.getByLabel('Your name').fill('Mei');
    await page.getByLabel('Text', { exact: true }).fill(' ');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Enter a text, or choose a file.').waitFor();
    expect(
      await page
        .getByLabel('Text', { exact: true })
        .evaluate((field) => field === document.activeElement),
    ).toBe(true);
    await inspect(page, 'request-wrong');
    await page.getByLabel('Text', { exact: true }).fill('It began at 09:12.');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Received' }).waitFor();
    await inspect(page, 'request-received');
    expect((await page.goto(url))?.status()).toBe(410);
    await page.getByRole('heading', { name: 'This request is complete' }).waitFor();
    await ask(`PUT /api/share/requests/${id}`, { submissions: 2, password: 'Sesam1' });
    await page.goto(url);
    await inspect(page, 'request-password');
    await page.getByRole('link', { name: 'Report this request' }).click();
    await page.getByLabel('What’s wrong with it?').fill('It is spam');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('heading', { name: 'Report sent' }).waitFor();
    expect(complaints.filter((text) => !/40\d|410/.test(text))).toEqual([]);
    expect(origins.size).toBe(1);
  });
});
