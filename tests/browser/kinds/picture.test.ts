// Pictures and PDF as they are read. How they are served is in `web/share-page/single-file.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="1000"><script>document.documentElement.remove()</script><rect width="2000" height="1000" fill="teal"/></svg>`;

/** A picture of 2,000 × 1,000 pixels. */
const gif = Buffer.from(
  '474946383961d007e80380000000ffff0000002c000000000100010000020244013b',
  'hex',
);

const open = async (name: string, content: string | Buffer, javaScriptEnabled = true) => {
  const { shareFile } = await serveShares();
  const url = await shareFile(name, Buffer.from(content));
  return { url, ...(await openPage(await openContext(browser, { javaScriptEnabled }), url)) };
};

describe.skipIf(!hasBrowser)('the page of a picture', () => {
  it('fits it, and shows it in full size by key', async () => {
    const { page, complaints, url } = await open('teal.svg', svg);
    const picture = page.getByRole('img', { name: 'teal.svg' });
    await inspect(page, 'share-picture');
    await page.setViewportSize({ width: 390, height: 664 });
    const widthOf = async () => (await picture.boundingBox())?.width ?? 0;
    expect(await widthOf()).toBeLessThan(390);
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await expect.poll(widthOf).toBe(2_000);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await picture.click({ position: { x: 20, y: 20 } });
    await expect.poll(widthOf).toBeLessThan(390);
    // By itself, too, it runs no script.
    await page.goto(`${url}/raw`);
    expect(await page.evaluate('document.documentElement.localName')).toBe('svg');
    expect(complaints.filter((text) => !text.includes('script'))).toEqual([]);
  });

  it('says how large it is', async () => {
    const { page } = await open('large.gif', gif);
    await page.getByText(`${gif.length} bytes · 2000 × 1000`).waitFor();
  });

  it('works without a script', async () => {
    const { page } = await open('teal.svg', svg, false);
    const picture = page.getByRole('img', { name: 'teal.svg' });
    await picture.click();
    await expect.poll(async () => (await picture.boundingBox())?.width).toBe(2_000);
  });
});

describe.skipIf(!hasBrowser)('the page of a PDF', () => {
  it('has a card to download it', async () => {
    const { page, complaints } = await open('paper.pdf', '%PDF-1.7\n%%EOF\n');
    await inspect(page, 'share-pdf');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).first().click();
    expect((await download).suggestedFilename()).toBe('paper.pdf');
    expect(complaints).toEqual([]);
  });
});
