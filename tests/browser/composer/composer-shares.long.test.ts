import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openOptions } from '../../support/pages/composer-page.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { chooseAction, namesOf, openShares, rowsOf } from '../../support/pages/shares-page.ts';
import { send } from '../../support/run/process.ts';

describe.skipIf(!hasBrowser)('your own shares in a browser', () => {
  const open = (shares: readonly object[], path?: string) => openShares(browser, shares, path);

  const search = (page: Page) => page.getByLabel('Search shares');

  it('come back if the service does not delete them, with the reason', async () => {
    const { page } = await open([{ content: 'x', title: 'Kept' }]);
    await rowsOf(page).first().waitFor();
    const refuse = (route: Route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 403,
            json: { error: { message: 'Not now.', code: 'FORBIDDEN' } },
          })
        : route.continue();
    await page.route('**/api/share/*', refuse);
    await chooseAction(page, 'Kept', 'Delete');
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Couldn’t delete “Kept”. Not now.').waitFor();
    await expect.poll(() => namesOf(page)).toEqual(['Kept']);
    await page.unroute('**/api/share/*', refuse);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing shared yet').waitFor();
  });

  it('cannot be edited by others or after their end', async () => {
    const { page, url, made } = await open([{ content: '<p>Once</p>', viewLimit: 1 }]);
    const id = made[0]?.id ?? '';
    await page.goto(`${url}/?edit=${'x'.repeat(22)}`);
    await page.getByText('Share not found.').waitFor();
    await send(`${url}/api/share?id=${id}`);
    await page.goto(`${url}/?edit=${id}`);
    await page.getByText('This share has ended and can’t be edited.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Save' }).isVisible()).toBe(false);
    await expect
      .poll(() => page.getByRole('link', { name: 'Back to my shares' }).isVisible())
      .toBe(true);
    await inspect(page, 'edit-ended');
    await page.goto(`${url}/shares`);
    await rowsOf(page).getByText('Ended').waitFor();
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await expect
      .poll(() => page.getByRole('menuitem').allInnerTexts())
      .toEqual(['Open', 'People', 'Links', 'Views', 'Delete']);
    const stranger = await openPage(await openContext(browser), `${url}/?edit=${id}`);
    await stranger.page.waitForURL(`${url}/login?next=/%3Fedit%3D${id}`);
  });

  it('are loaded page by page, while a search includes all', async () => {
    const shares = Array.from({ length: 103 }, (_, at) => ({ content: 'x', title: `Share ${at}` }));
    const { page } = await open(shares);
    await rowsOf(page).nth(99).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(100);
    await page.getByRole('button', { name: 'Show more' }).dblclick();
    await rowsOf(page).nth(102).waitFor();
    await expect.poll(() => rowsOf(page).count()).toBe(103);
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Share 2');
    await expect
      .poll(() => page.getByRole('button', { name: 'Show more' }).isVisible())
      .toBe(false);
    await page.reload();
    await rowsOf(page).nth(99).waitFor();
    await search(page).fill('share 2');
    await expect.poll(() => namesOf(page)).toContain('Share 2');
    await expect.poll(() => rowsOf(page).count()).toBe(20);
  });

  it('appear beside the daily check-in and require signing in', async () => {
    const { page, url, context } = await open([]);
    await page.getByText('Nothing shared yet').waitFor();
    await expect.poll(() => search(page).isVisible()).toBe(false);
    await inspect(page, 'shares-none');
    await page.locator('#check-in').dblclick();
    await page.getByText(/^\d\d points earned/).waitFor();
    await page.getByText('1 day in a row').waitFor();
    await expect
      .poll(() => page.getByRole('alert').filter({ visible: true, hasText: /./ }).count())
      .toBe(0);
    await context.clearCookies();
    await page.goto(`${url}/shares`);
    await page.waitForURL(`${url}/login?next=/shares`);
  });

  it('burn after reading by one click', async () => {
    const { page, url, token } = await open([], '/');
    await page.getByLabel('Content', { exact: true }).fill('# Once');
    await openOptions(page);
    const burn = page.getByRole('switch', { name: 'Burn after reading' });
    await burn.click();
    await expect.poll(() => page.getByLabel('View limit').inputValue()).toBe('1');
    await expect.poll(() => page.getByLabel('View limit').isDisabled()).toBe(true);
    await expect
      .poll(() => page.locator('#chip-views-text').innerText())
      .toBe('Burn after reading');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByRole('heading', { name: 'Ready to be read once' }).waitFor();
    const { body } = await send(`${url}/api/share?mine=true`, { token });
    expect(body.items).toMatchObject([{ viewLimit: 1, views: 0 }]);
  });
});
