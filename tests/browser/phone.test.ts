// What fits a small phone: the options of a share as a sheet, the strip without a network, search from More, lists.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/pages/browser.ts';
import { choosePassword, openMoreOptions, signUp } from '../support/pages/composer-page.ts';
import { openContext, openPage } from '../support/pages/open-page.ts';
import { browser } from '../support/pages/shared-browser.ts';
import { startFreshService } from '../support/run/fresh-service.ts';
import { send } from '../support/run/process.ts';

const bottomOf = async (page: Page, selector: string): Promise<number> => {
  const box = await page.locator(selector).boundingBox();
  return (box?.y ?? 0) + (box?.height ?? 0);
};

describe.skipIf(!hasBrowser)('a phone', () => {
  it('reaches all options of a share, whose sheet Back closes, and keeps Share in view offline', async () => {
    const { url } = await startFreshService();
    const context = await openContext(browser, {
      viewport: { width: 390, height: 664 },
      hasTouch: true,
      isMobile: true,
    });
    const token = await signUp(context, url);
    const body = { content: '# Notes', title: 'Notes' };
    await send(`${url}/api/share`, { method: 'POST', token, body });
    const { page, complaints } = await openPage(context, url);
    for (const height of [664, 560]) {
      await page.setViewportSize({ width: 390, height });
      await openMoreOptions(page);
      await choosePassword(page, 'Custom');
      for (const name of ['Custom password', 'View limit', 'Name in the link'] as const) {
        await page.getByLabel(name).fill('2');
        await expect.poll(() => page.getByLabel(name).isVisible()).toBe(true);
      }
      await page.getByLabel('Custom password').fill('');
      await page.getByLabel('Name in the link').fill('');
      await page.getByRole('switch', { name: 'Readers see revisions' }).tap();
      const sheet = await page.locator('#options').boundingBox();
      expect(sheet?.y).toBeGreaterThanOrEqual(48);
      await page.goBack();
      await page.locator('#options').waitFor({ state: 'hidden' });
      expect(page.url()).toBe(`${url}/`);
    }

    await context.setOffline(true);
    await page.getByText('Offline. Changes can’t be sent.').waitFor();
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0;
    const below = async (one: string, other: string) =>
      (await top(other)) - (await bottomOf(page, one));
    await expect.poll(() => below('#send', '.offline')).toBeGreaterThanOrEqual(0);
    await expect.poll(() => below('.offline', '.tab-bar')).toBeGreaterThanOrEqual(-1);
    await context.setOffline(false);
    // Nothing was waiting to be sent.
    await page.getByText('You’re online.', { exact: true }).waitFor();

    await page.goto(`${url}/shares`);
    await expect
      .poll(() => page.locator('tbody .status .badge').allInnerTexts())
      .toEqual(['Active']);
    await page.getByRole('button', { name: 'Sort: Newest first' }).tap();
    await page.getByRole('menuitemradio', { name: 'Ends first' }).tap();
    await expect.poll(() => page.url()).toContain('sort=expiresAt');
    await page.getByRole('button', { name: 'More', exact: true }).tap();
    const more = page.getByRole('dialog', { name: 'More' });
    await more.getByRole('button', { name: 'Search or jump to' }).tap();
    await page.locator('#palette input').waitFor();
    await expect.poll(() => more.isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('opens the week at today and at an hour before now, three days at a time', async () => {
    const { url } = await startFreshService();
    const context = await openContext(browser, {
      viewport: { width: 390, height: 664 },
      hasTouch: true,
      isMobile: true,
    });
    await signUp(context, url);
    const { page, complaints } = await openPage(context, `${url}/calendar?view=week`);
    const today = page.locator('.hours .wd.today');
    await today.waitFor();
    const inside = async (selector: string) => {
      const box = await page.locator(selector).first().boundingBox();
      return box !== null && box.x >= 43 && box.x + box.width <= 391 && box.y > 100 && box.y < 600;
    };
    await expect.poll(() => inside('.hours .wd.today')).toBe(true);
    await expect.poll(() => inside('.hours .now')).toBe(true);
    expect((await today.boundingBox())?.width).toBeCloseTo((390 - 44) / 3, 0);
    expect(complaints).toEqual([]);
  });
});
