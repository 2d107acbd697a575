// What the page of a sealed share says when it can’t open it: nothing is shown that isn’t whole, and no view is lost.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { alert, openButton, press, sizes, startSealed } from '../../support/pages/sealed-page.ts';

const text = '# Plan\n\nThe safe opens with 4711-Falke.';

const ofShare = '**/api/share?id=*';

/** Waits until the page says why it opened nothing, and checks that nothing is shown. */
const findFailure = async (page: Page): Promise<string | null> => {
  await alert(page).waitFor();
  expect(await page.locator('.reader-bar').count()).toBe(0);
  return alert(page).textContent();
};

describe.skipIf(!hasBrowser)('a sealed share that can’t be opened', () => {
  it('is the same view after its only answer was lost, and after a reload', async () => {
    const { seal, open, viewsOf } = await startSealed();
    const { url, link } = await seal({ text, options: { viewLimit: 1 } });
    const { page } = await open(link, { viewport: sizes[1] });
    let lost = 0;
    await page.route(ofShare, async (route) => {
      await route.fetch();
      lost++;
      await route.abort();
    });
    await openButton(page).press('Enter');
    expect(await findFailure(page)).toMatch(/^Can’t reach the server\..*is the same view\.$/);
    expect(lost).toBeGreaterThan(1);
    expect(await viewsOf(url)).toBe(1);
    await page.unroute(ofShare);
    await press(page);
    await page.getByText('4711-Falke').waitFor();
    await page.reload();
    await page.getByText('4711-Falke').waitFor();
    expect([page.url(), await viewsOf(url)]).toEqual([url, 1]);
    // Nobody else gets it.
    const other = await page.context().newPage();
    await other.goto(link);
    await other.getByRole('heading', { name: 'This share has reached its view limit' }).waitFor();
  });

  it('shows nothing of an envelope that was changed, or is none', async () => {
    const { seal, open } = await startSealed();
    const { link } = await seal({ text });
    const { page } = await open(link);
    const change = (content: string) => (content.endsWith('AA') ? 'BB' : 'AA');
    for (const [damage, message] of [
      [(content: string) => content.slice(0, -2) + change(content), /changed or damaged/],
      [(content: string) => content.slice(0, -400), /changed or damaged/],
      [() => 'IyBQbGFu', /changed or damaged/],
      // The fourth byte is the version.
      [(content: string) => `SEJTAg${content.slice(6)}`, /newer version of Handbill/],
    ] as const) {
      await page.route(ofShare, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        const json = { ...body, content: damage(body.content) };
        await route.fulfill({ response, json });
      });
      await openButton(page).press('Enter');
      expect(await findFailure(page)).toMatch(message);
      await page.unroute(ofShare);
      await page.reload();
    }
  });

  it('says how long to wait after too many attempts', async () => {
    const { seal, open } = await startSealed();
    const { page } = await open((await seal({ text })).link);
    const error = { code: 'RATE_LIMITED', message: 'Too many requests.' };
    await page.route(ofShare, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '130' },
        json: { success: false, error },
      }),
    );
    await openButton(page).press('Enter');
    expect(await findFailure(page)).toBe('Too many attempts. Try again in 3 minutes.');
  });

  it('leads to what the service says of a share that ended meanwhile', async () => {
    const { ask, seal, open } = await startSealed();
    const { id, link } = await seal({ text });
    const { page } = await open(link);
    await ask(`POST /api/share/${id}/end`);
    await openButton(page).press('Enter');
    await page.getByRole('heading', { name: 'This share has ended' }).waitFor();
  });

  it('saves no file that isn’t the one that was sealed, and says so beside it', async () => {
    const { seal, open } = await startSealed();
    const files = { 'a.txt': 'The first', 'b.txt': 'The other' };
    const { link } = await seal({ text, files });
    const { page } = await open(link);
    await press(page);
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    const download = (name: string) => page.getByRole('button', { name: `Download ${name}` });
    const downloads: unknown[] = [];
    page.on('download', (one) => downloads.push(one));

    // Both files are whole, and one is in the place of the other.
    await page.route('**/f0.sealed', async (route) => {
      const address = route.request().url().replace('f0.sealed', 'f1.sealed');
      await route.fulfill({ response: await route.fetch({ url: address }) });
    });
    await download('a.txt').press('Enter');
    await item('a.txt').getByText('The file was changed or damaged').waitFor();
    await page.route('**/f1.sealed', (route) => route.abort());
    await download('b.txt').press('Enter');
    await item('b.txt').getByText('Can’t reach the server.').waitFor();
    await page.route('**/f1.sealed', (route) =>
      route.fulfill({ status: 401, headers: { 'access-control-allow-origin': '*' } }),
    );
    await download('b.txt').press('Enter');
    await item('b.txt').getByText('The time to download it is over.').waitFor();
    await page.route('**/f1.sealed', (route) =>
      route.fulfill({ status: 404, headers: { 'access-control-allow-origin': '*' } }),
    );
    await download('b.txt').press('Enter');
    await item('b.txt')
      .getByText(/^This file isn’t there any more, or the snippet was changed\./)
      .waitFor();
    expect(downloads).toEqual([]);
    await page.unroute('**/f1.sealed');
    await Promise.all([page.waitForEvent('download'), download('b.txt').press('Enter')]);
    await page.getByText('b.txt downloaded').waitFor();
    expect(await item('b.txt').getByRole('alert').count()).toBe(0);
  });
});
