import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { openSignedIn, startComposer } from '../support/pages/composer-page.ts';
import { inspect } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';

describe.skipIf(!hasBrowser)('the API reference', () => {
  it('sends requests as the signed-in user, in the colors of the page, to no other host', async () => {
    const url = await startComposer();
    const { page, complaints, origins } = await openSignedIn(
      browser,
      url,
      '/api/docs#/checkin/checkIn',
    );
    await page.getByText('sends real requests as Ann').waitFor();
    const operation = page.locator('.opblock.is-open');
    await operation.waitFor();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table .response .response-col_status');
    await status.filter({ hasText: '200' }).waitFor();
    await expect
      .poll(() => operation.locator('.live-responses-table').innerText())
      .toContain('"streak": 1');
    const readColor = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.swagger-ui .opblock')).color`);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await readColor();
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(readColor).not.toBe(light);
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([url]);
  });

  it('says in its place that it didn’t load', async () => {
    const url = await startComposer();
    const { page } = await openSignedIn(browser, url, '/account');
    await page.route('**/swagger-ui-bundle.js', (route) => route.abort());
    await page.goto(`${url}/api/docs`);
    const notice = page.getByText('Couldn’t load the reference. Reload the page.');
    await notice.waitFor();
    expect(await notice.evaluate('(place) => getComputedStyle(place).paddingLeft')).not.toBe('0px');
    await inspect(page, 'api-reference-failed');
  });
});
