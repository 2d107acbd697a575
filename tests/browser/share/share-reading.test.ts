import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const section = (name: string) => `## ${name}\n\n${'Words to read. '.repeat(200)}\n\n`;
const content = `# A long text\n\n${section('First')}${section('Second')}${section('Last')}`;

describe.skipIf(!hasBrowser)('reading a share in a browser', () => {
  const open = async (body: Record<string, unknown> = { content, language: 'markdown' }) => {
    const shares = await serveShares();
    const url = await shares.share(body);
    return { ...shares, url, ...(await openPage(await openContext(browser), url)) };
  };
  const current = (page: Page) => page.locator('.toc [aria-current]').innerText();

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
