import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { expectTold, line, named, openFiles, startFiles } from '../../support/pages/files-page.ts';
import { inspect } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

/** Draws noise over colors in the page: a PNG of more than a megabyte, in base64. */
const drawLarge = `(() => {
  const canvas = document.createElement('canvas');
  canvas.width = 1000;
  canvas.height = 500;
  const context = canvas.getContext('2d');
  const pixels = context.createImageData(1000, 500);
  let seed = 1;
  for (let at = 0; at < pixels.data.length; at += 1) {
    seed = (seed * 48271) % 2147483647;
    pixels.data[at] = at % 4 === 3 ? 255 : seed & 255;
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

describe.skipIf(!hasBrowser)('thumbnails of images in a browser', () => {
  it('shows large images small, each by one request, and none again on the second look', async () => {
    const service = await startFiles();
    const { page, complaints } = await openFiles(browser, service);
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/(thumbnail|download)(\?|$)/.test(request.url())) {
        asked.push(`${request.method()} ${new URL(request.url()).pathname.replace(/\d+/, 'id')}`);
      }
    });
    const image = Buffer.from((await page.evaluate(drawLarge)) as string, 'base64');
    expect(image.length).toBeGreaterThan(1_024 ** 2);
    const broken = Buffer.concat([image.subarray(0, 40), Buffer.from('broken')]);
    const files = [
      named('Noise.png', image),
      named('Broken.png', broken),
      named('Drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>'),
    ];
    await page.locator('#choose').setInputFiles(files);
    await expectTold(page, '3 files uploaded');

    const picture = line(page, 'Noise.png').locator('img');
    await picture.waitFor();
    const sides = 'const { naturalWidth, naturalHeight } = document.querySelector("img.kind");';
    await expect
      .poll(() => page.evaluate(`{ ${sides} [naturalWidth, naturalHeight] }`))
      .toEqual([160, 80]);
    const fetched = `performance.getEntriesByType('resource')
      .filter(({ name, initiatorType }) => initiatorType === 'img' && name.endsWith('/thumbnail'))
      .map(({ transferSize, encodedBodySize }) => [transferSize > 0, encodedBodySize > 0, encodedBodySize <= 12288])`;
    expect(await page.evaluate(fetched)).toEqual([[true, true, true]]);
    expect(await line(page, 'Broken.png').locator('img').count()).toBe(0);
    expect(await line(page, 'Drawing.svg').locator('img').count()).toBe(0);
    await inspect(page, 'files-thumbnails');
    expect(complaints).toEqual([]);
    expect(asked).toEqual(['PUT /api/files/id/thumbnail', 'GET /api/files/id/thumbnail']);

    await page.goto(`${service.url}/files?show=image`);
    await picture.waitFor();
    // From the browser's cache.
    await expect.poll(() => page.evaluate(fetched)).toEqual([[false, true, true]]);
  });
});
