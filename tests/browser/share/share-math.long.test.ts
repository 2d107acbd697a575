// Math never leaves the article, whatever it says. What TeX becomes is in `shared/markdown/`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** What moves, stretches or covers, each within a line and in a block of its own. */
const formulas = [
  '\\raisebox{14em}{\\rule{9em}{9em}}',
  '\\raisebox{2em}{$\\raisebox{2em}{$\\raisebox{2em}{\\rule{9em}{9em}}$}$}',
  '\\lower 90em\\hbox{\\rule{9em}{9em}}',
  '\\rule{2000em}{2000em}',
  '\\rule[-300em]{9em}{9em}',
  '\\hspace{-90em}\\rule{60em}{5em}',
  '\\kern-90em\\rule{60em}{5em}',
  '\\mkern-9000mu\\rule{60em}{5em}',
  '\\hspace{40em}\\rule{40em}{1em}\\hspace{40em}\\rule{40em}{1em}',
  '\\mathllap{\\rule{60em}{5em}}',
  '\\mathrlap{\\rule{60em}{5em}}',
  '\\mathclap{\\rule{60em}{5em}}',
  '\\smash{\\rule{5em}{60em}}',
  '\\vphantom{\\rule{1em}{900em}}x',
  '\\phantom{\\rule{900em}{900em}}x',
  'a\\\\[900em]b',
  '\\begin{matrix}a\\\\[900em]b\\end{matrix}',
  '\\text{\\Huge x{\\Huge \\rule{40em}{9em}}}',
  '{\\tiny{\\text{\\Huge x\\text{\\Huge \\rule{40em}{9em}}}}}',
  '\\genfrac{}{}{900em}{}{a}{b}',
  '\\cancel{\\rule{90em}{9em}}',
  '\\boxed{\\hspace{90em}}',
  'x'.repeat(400),
];

const text = (tex: readonly string[]): string =>
  `# $${formulas[0]}$ Math\n\n${tex.map((one) => `A line $${one}$ of words.\n\n$$\n${one}\n$$\n`).join('\n')}`;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Takes pictures of all that is around the article and its margin. */
const takeSurroundings = async (page: Page, { x, y, width, height }: Box): Promise<string[]> => {
  const size = (await page.evaluate(
    '({ width: document.documentElement.scrollWidth, height: document.documentElement.scrollHeight })',
  )) as { readonly width: number; readonly height: number };
  const [left, right, bottom] = [Math.floor(x - 17), Math.ceil(x + width + 17), y + height + 17];
  const clips = [
    { x: 0, y: 0, width: left, height: size.height },
    { x: right, y: 0, width: size.width - right, height: size.height },
    { x: 0, y: bottom, width: size.width, height: size.height - bottom },
  ].filter((clip) => clip.width > 0 && clip.height > 0);
  const pictures: string[] = [];
  for (const clip of clips) {
    pictures.push((await page.screenshot({ fullPage: true, clip })).toString('base64'));
  }
  return pictures;
};

describe.skipIf(!hasBrowser)('math that would leave its place', () => {
  it.each([
    ['wide', { width: 1280, height: 800 }],
    ['narrow', { width: 390, height: 664 }],
  ])(
    'is seen within the article only, which stays as wide as its page: %s',
    async (_, viewport) => {
      const { share } = await serveShares();
      const url = await share({ language: 'markdown', content: text(formulas) });
      const { page, complaints } = await openPage(await openContext(browser, { viewport }), url);
      expect(await page.locator('math').count()).toBe(2 * formulas.length + 1);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
      // Each formula takes no more than a screen or so.
      const tallest =
        'Math.max(...Array.from(document.querySelectorAll("math"), (one) => one.getBoundingClientRect().height))';
      expect(await page.evaluate(tallest)).toBeLessThan(900);
      // The first picture of a whole page lays it out anew, once.
      await page.screenshot({ fullPage: true });
      const box = await page.locator('.prose').boundingBox();
      const before = await takeSurroundings(page, box as Box);
      await page.evaluate(
        'for (const math of document.querySelectorAll("math")) math.style.opacity = 0',
      );
      expect(
        (await takeSurroundings(page, box as Box)).map((one, at) => one === before[at]),
      ).toEqual(before.map(() => true));
      await page.evaluate(
        'for (const math of document.querySelectorAll("math")) math.style.opacity = 1',
      );
      await page.getByRole('button', { name: 'More' }).click();
      await page.keyboard.press('Escape');
      await page
        .getByRole('contentinfo')
        .getByRole('link', { name: 'Report' })
        .click({ trial: true });
      expect(complaints).toEqual([]);
    },
  );
});
