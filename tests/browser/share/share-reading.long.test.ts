import type { Page } from 'playwright-core';
import { encode } from 'uqr';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const section = (name: string) => `## ${name}\n\n${'Words to read. '.repeat(200)}\n\n`;
const content = `# A long text\n\n${section('First')}${section('Second')}${section('Last')}`;

/** Returns the dark modules of the drawn code, row by row. */
const readModules = `(() => {
  const svg = document.querySelector('.qr svg');
  const size = svg.viewBox.baseVal.width;
  const rows = Array.from({ length: size }, () => Array(size).fill(false));
  for (const [, x, y] of svg.querySelector('path').getAttribute('d').matchAll(/M(\\d+) (\\d+)h1v1h-1z/g)) {
    rows[y][x] = true;
  }
  return rows;
})()`;

describe.skipIf(!hasBrowser)('reading a share in a browser', () => {
  const open = async (body: Record<string, unknown> = { content, language: 'markdown' }) => {
    const shares = await serveShares();
    const url = await shares.share(body);
    return { ...shares, url, ...(await openPage(await openContext(browser), url)) };
  };
  const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

  const current = (page: Page) => page.locator('.toc [aria-current]').innerText();

  it('opens, walks and closes the menu by keyboard', async () => {
    const { page } = await open();
    const more = page.getByRole('button', { name: 'More actions' });
    await more.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => focused(page)).toBe('Copy source');
    for (const [key, item] of [
      ['ArrowDown', 'Raw'],
      ['End', 'Report'],
      ['ArrowDown', 'Copy source'],
      ['ArrowUp', 'Report'],
      ['Home', 'Copy source'],
      ['q', 'QR code'],
      ['r', 'Report'],
      ['r', 'Raw'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page), { message: key }).toBe(item);
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.menu').isVisible()).toBe(false);
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('More actions');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toBe('Copy source');
  });

  it('fills the screen by a key, but not while typing', async () => {
    const { page, service, url } = await open();
    const isFull = () => page.evaluate('document.fullscreenElement !== null');
    await page.keyboard.press('f');
    await expect.poll(isFull).toBe(true);
    await page.keyboard.press('f');
    await expect.poll(isFull).toBe(false);
    await page.getByRole('button', { name: 'More actions' }).click();
    await expect.poll(() => focused(page)).toBe('Copy source');
    await page.keyboard.press('f');
    await expect.poll(() => focused(page)).toContain('Full screen');
    await expect.poll(() => isFull()).toBe(false);
    expect(url).toContain(service);
  });

  it('shows a QR code of the link, loaded when it is asked for', async () => {
    const { page, url, complaints } = await open();
    const loaded = () =>
      page.evaluate(
        'performance.getEntriesByType("resource").filter(({ name }) => name.includes("qr-dialog")).length',
      );
    await expect.poll(() => loaded()).toBe(0);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'QR code' }).click();
    const dialog = page.getByRole('dialog', { name: 'QR code' });
    await dialog.getByRole('img', { name: `QR code for ${url}` }).waitFor();
    await expect.poll(() => loaded()).toBe(1);
    expect(await page.evaluate(readModules)).toEqual(encode(url, { border: 4 }).data);
    await inspect(page, 'share-qr');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it.each([320, 390, 900])(
    'fits a window of %i pixels, with the bar in one line',
    async (width) => {
      const wide = `# ${'Unbreakable'.repeat(9)}\n\n## B\n\n## C\n\n| a | b |\n|---|---|\n| ${'x'.repeat(300)} | y |\n\n\`\`\`js\n${'long '.repeat(60)}\n\`\`\`\n`;
      const { page } = await open({ content: wide, language: 'markdown', expiresIn: 600 });
      await page.setViewportSize({ width, height: 800 });
      await expect
        .poll(() => page.evaluate('document.documentElement.scrollWidth'))
        .toBeLessThanOrEqual(width);
      const bar = await page.locator('.reader-bar').boundingBox();
      expect(bar?.height).toBeLessThanOrEqual(56);
      await page.getByRole('button', { name: 'More actions' }).click();
      const menu = await page.locator('.menu').boundingBox();
      expect(menu?.x).toBeGreaterThanOrEqual(0);
      expect((menu?.x ?? 0) + (menu?.width ?? 0)).toBeLessThanOrEqual(width);
    },
  );

  it('shows where the reader is in the contents, beside the text or above it', async () => {
    const { page, complaints } = await open();
    await page.setViewportSize({ width: 1_440, height: 900 });
    const links = page.locator('.toc').getByRole('link');
    await expect
      .poll(() => links.allInnerTexts())
      .toEqual(['A long text', 'First', 'Second', 'Last']);
    await expect.poll(() => current(page)).toBe('A long text');
    await links.filter({ hasText: 'Second' }).click();
    await expect.poll(() => current(page)).toBe('Second');
    await expect.poll(() => links.first().isVisible()).toBe(true);
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await expect.poll(() => current(page)).toBe('Last');
    const [list, text] = [
      await page.locator('.toc').boundingBox(),
      await page.locator('.prose').boundingBox(),
    ];
    expect(text?.width).toBe(688);
    expect(list?.x).toBeGreaterThan((text?.x ?? 0) + 688);

    await page.setViewportSize({ width: 900, height: 900 });
    await expect.poll(() => links.first().isVisible()).toBe(false);
    await page.evaluate('scrollTo(0, 0)');
    await page.locator('.toc summary').click();
    await links.filter({ hasText: 'First' }).click();
    await expect.poll(() => links.first().isVisible()).toBe(false);
    expect(complaints).toEqual([]);
  });
});
