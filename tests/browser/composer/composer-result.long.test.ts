import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choosePassword,
  link,
  openMoreOptions,
  openOptions,
  openSignedIn,
  ready,
  share,
  startComposer,
  text,
} from '../../support/pages/composer-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the result of the composer', () => {
  it('is copied with its password as one text, and passed on to the system', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    // Chromium without a desktop has no sheet.
    await page.evaluate(
      'navigator.share = (data) => { globalThis.sent = data; return Promise.resolve(); }',
    );
    await text(page).fill('# Hello');
    await openOptions(page);
    await choosePassword(page, 'Generate');
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    await page.getByRole('button', { name: 'Copy both' }).press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor();
    const url = await link(page).inputValue();
    const password = await page
      .locator('#result')
      .getByLabel('Password', { exact: true })
      .inputValue();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`${url}\nPassword: ${password}`);
    await page.getByRole('button', { name: 'Send link' }).click();
    expect(await page.evaluate('sent')).toMatchObject({ url });
    expect(complaints).toEqual([]);
  });

  it('offers to copy a share that ends after reading first, and not to open it', async () => {
    const { page } = await openSignedIn(browser, await startComposer());
    await text(page).fill('# Once');
    await openOptions(page);
    await page.getByRole('switch', { name: 'Burn after reading' }).check();
    await page.keyboard.press('Escape');
    await share(page).click();
    await page.getByRole('heading', { name: 'Ready to be read once' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('copy-link');
    expect(await page.getByRole('link', { name: 'Open page' }).count()).toBe(0);
    await page.getByText('Copy it, don’t open it.').waitFor();
    await inspect(page, 'composer-result-burn');
    const [preview] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Preview' }).click(),
    ]);
    await preview.getByRole('heading', { name: 'Once' }).waitFor();
    await preview.getByText('no view is counted').waitFor();
  });

  it('has the line that embeds it, if sites are named', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await text(page).fill('# Hello');
    await page.getByLabel('Title').fill('Offer & "more"');
    await openMoreOptions(page);
    await page.getByLabel('Sites that can embed it').fill('https://blog.example.com');
    await page.keyboard.press('Escape');
    await share(page).click();
    await ready(page);
    const url = await link(page).inputValue();
    await page.getByRole('button', { name: 'Copy embed code' }).click();
    await page.getByText('Copied', { exact: true }).waitFor();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(
        `<iframe src="${url}/embed" title="Offer &amp; &quot;more&quot;" width="100%" height="480" style="border:0"></iframe>`,
      );
    await inspect(page, 'composer-result-embed');
    expect(complaints).toEqual([]);
  });

  it('has the name that was chosen, and not one that is taken', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await text(page).fill('# Menu');
    const chooseName = async (name: string) => {
      await openMoreOptions(page);
      await page.getByLabel('Name in the link').fill(name);
      await page.keyboard.press('Escape');
      await share(page).click();
    };
    await chooseName('admin');
    await page.getByText('Is reserved; free names are admin-2 and admin-3.').waitFor();
    await inspect(page, 'composer-name');
    await chooseName('menu');
    await ready(page);
    const url = await link(page).inputValue();
    expect(new URL(url).pathname).toBe('/s/menu');
    await page.goto(url);
    await page.getByRole('heading', { name: 'Menu' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
