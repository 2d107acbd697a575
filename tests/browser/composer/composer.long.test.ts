import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  isKept,
  kept,
  link,
  openOptions,
  openSignedIn,
  ready,
  share,
  signUp,
  startComposer,
  text,
} from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the composer in a browser', () => {
  it('reports a draft that is too large and deletes the previous one', async () => {
    const url = await startComposer();
    // CodeMirror gets no such text in one event.
    const { page } = await openPage(await openContext(browser, { hasTouch: true }), url);
    await text(page).fill('Small');
    await isKept(page, 'Small');
    await page.evaluate(`{
      const text = document.querySelector('textarea');
      text.value = 'x'.repeat(2_300_000);
      text.dispatchEvent(new Event('input', { bubbles: true }));
    }`);
    await page.getByText('This draft can’t be saved in your browser.').waitFor();
    await expect.poll(() => kept(page)).toBe('{}');
    await share(page).click();
    await page.getByText('This is 2.2 MB. Markdown can be at most 512 KB.').waitFor();
  });

  it('uploads HTML that no request takes, and refuses what is too large compressed', async () => {
    const url = await startComposer();
    const { page, complaints } = await openSignedIn(browser, url);
    const choose = (html: string) =>
      page
        .locator('input[type=file]')
        .first()
        .setInputFiles({
          name: 'report.html',
          mimeType: 'text/html',
          buffer: Buffer.from(html),
        });
    await choose(`<p>${randomBytes(4.2 * 1024 * 1024).toString('base64')}</p>`);
    await page.getByText('5.7 MB of 16 MB').waitFor();
    await share(page).click();
    const refusal =
      /This is 4\.\d MB compressed\. HTML can be at most 16 MB, and 4 MB compressed\. Share images, styles and scripts as files\./;
    await page.getByText(refusal).waitFor();
    const html = `<p>Large</p>\n${'<b>"1"</b>\n'.repeat(700_000)}`;
    await choose(html);
    await page.getByText('7.4 MB of 16 MB').waitFor();
    await share(page).click();
    await ready(page);
    const raw = await fetch(`${await link(page).inputValue()}/raw`);
    expect((await raw.text()) === html).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('shows errors beside their fields and keeps the input', async () => {
    const url = await startComposer();
    const { page, complaints } = await openSignedIn(browser, url);
    const focused = () => page.evaluate('document.activeElement.id');
    await share(page).click();
    await page.getByText('Enter some content first.').waitFor();
    await expect.poll(() => focused()).toBe('share-content');
    await text(page).fill('A text');
    await page.getByLabel('Title').fill('x'.repeat(201));
    await openOptions(page);
    await page.getByLabel('View limit').fill('0');
    await choosePassword(page, 'Custom');
    await page.getByLabel('Custom password').fill('short');
    await page.getByLabel('Expiration').selectOption('Custom date');
    await page.getByLabel('Expires on').fill('2020-01-01T00:00');
    await share(page).click();
    await page.getByText('Must be at most 200 characters.').waitFor();
    const alerts = page.getByRole('alert').filter({ hasText: /./ });
    await expect
      .poll(async () => (await alerts.allInnerTexts()).sort())
      .toEqual([
        'Must be an integer from 1 to 1000000.',
        'Must be at most 200 characters.',
        'Must be in the future.',
        'Must have exactly 6 letters or digits.',
      ]);
    await expect.poll(() => focused()).toBe('share-title');
    await inspect(page, 'composer-wrong');
    await page.getByLabel('Title').fill('Fine');
    await openOptions(page);
    await page.getByLabel('View limit').fill('');
    await page.getByLabel('Custom password').fill('Abc123');
    await page.getByLabel('Expires on').fill('2090-01-01T00:00');
    await share(page).click();
    await ready(page);
    await expect
      .poll(() => page.locator('#result').getByLabel('Password', { exact: true }).isVisible())
      .toBe(false);
    expect(complaints).toEqual([]);
  });

  it('shows one pane at a time on a phone', async () => {
    const url = await startComposer();
    const context = await openContext(browser, {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
    });
    await signUp(context, url);
    const { page } = await openPage(context, url);
    await text(page).fill('# On a phone');
    const heading = page.getByRole('heading', { name: 'On a phone' });
    await expect.poll(() => heading.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Preview', exact: true }).tap();
    await heading.waitFor();
    await expect.poll(() => text(page).isVisible()).toBe(false);
    for (const name of ['Share', 'More actions'] as const) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(40);
    }
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
    await share(page).tap();
    await ready(page);
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  });
});
