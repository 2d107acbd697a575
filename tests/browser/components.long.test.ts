// How the components of all pages look and fit, and what they ignore.

import { describe, expect, it } from 'vitest';
import { findViolations } from '../support/pages/axe.ts';
import { hasBrowser } from '../support/pages/browser.ts';
import { findInvisibleIcons, findMotion, findOverflows } from '../support/pages/inspections.ts';
import { button, focused, log, useComponents } from './components-page.ts';

describe.skipIf(!hasBrowser)('the components in a browser', () => {
  const open = useComponents();

  it.each(['light', 'dark'] as const)('are accessible and fit, %s', async (colorScheme) => {
    const { page, complaints } = await open({
      colorScheme,
      viewport: { width: 1440, height: 900 },
    });
    expect(await findViolations(page)).toEqual([]);
    expect(await findOverflows(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await findViolations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show their icons with forced colors, and rest where less motion is wanted', async () => {
    const { page } = await open({ forcedColors: 'active', reducedMotion: 'reduce' });
    expect(await findInvisibleIcons(page)).toEqual([]);
    expect(await findMotion(page)).toEqual([]);
  });

  it('ignore presses while they are busy or disabled', async () => {
    const { page } = await open();
    await button(page, 'Busy').click();
    await button(page, 'Disabled').click({ force: true });
    await button(page, 'Disabled').focus();
    await expect.poll(() => focused(page)).toBe('Disabled');
    const waiting = page.getByRole('button', { name: /^Try again in \d+ s$/ });
    await expect.poll(() => waiting.isDisabled()).toBe(true);
    await expect.poll(() => log(page)).toBe('');
  });

  it.each([900, 390])('open records over the page where it is narrow: %d px', async (width) => {
    const { page } = await open({ viewport: { width, height: 800 } });
    await page.getByRole('link', { name: 'Row 1.2' }).click();
    const drawer = page.getByRole('dialog', { name: 'Row 1.2' });
    await drawer.waitFor();
    await expect.poll(() => page.locator('dialog:modal').count()).toBe(1);
    expect(await findViolations(page)).toEqual([]);
    // A menu inside closes first.
    await drawer.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Act' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0);
    await expect.poll(() => drawer.isVisible()).toBe(true);
    // It follows the width.
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect.poll(() => page.locator('dialog:modal').count()).toBe(0);
    await drawer.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => drawer.count()).toBe(0);
  });

  it('keep tabs and segments as links and pressed buttons', async () => {
    const { page } = await open();
    const url = page.url();
    await page.getByRole('link', { name: 'sessions 2' }).click();
    await expect
      .poll(() => page.locator('.tabs [aria-current=page]').innerText())
      .toMatch(/^sessions/);
    expect(page.url()).toBe(url);
    await button(page, 'Mine').click();
    await expect.poll(() => button(page, 'Mine').getAttribute('aria-pressed')).toBe('true');
  });
});
