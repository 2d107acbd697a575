import { readFile, writeFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { readFont } from '../../../infra/build/font.ts';
import { cardPaths, cardSize, hashCardSource, maxCardBytes } from '../../support/card/card.ts';
import { encodePng } from '../../support/card/png.ts';

/** Reads the pixels of a picture, as base64. */
const readPixels = (picture: string): string => `(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,${picture}';
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
  canvas.drawImage(image, 0, 0);
  const { data } = canvas.getImageData(0, 0, image.width, image.height);
  const rows = Array.from({ length: image.height }, (_, at) =>
    String.fromCharCode(...data.subarray(4 * at * image.width, 4 * (at + 1) * image.width)));
  return btoa(rows.join(''));
})()`;

/** Renders the picture of link previews from its source, and returns a line about it. */
export const takeCard = async (browser: Browser): Promise<string> => {
  const [source, font] = await Promise.all([readFile(cardPaths.source, 'utf8'), readFont()]);
  const page = await browser.newPage({ viewport: cardSize });
  await page.setContent(source.replace('{font}', Buffer.from(font).toString('base64')));
  await page.evaluate('document.fonts.ready');
  const shown = (await page.screenshot()).toString('base64');
  const pixels = (await page.evaluate(readPixels(shown))) as string;
  await page.close();
  const picture = encodePng(cardSize, Buffer.from(pixels, 'base64'), { Source: hashCardSource() });
  if (picture.length > maxCardBytes) throw new Error('The picture is too large');
  await writeFile(cardPaths.picture, picture);
  return `card.png  ${Math.round(picture.length / 1_000)} KB`;
};
