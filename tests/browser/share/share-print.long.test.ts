// The pages of shares on paper, as Chromium prints them.

import { inflateSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

/** Prints a page. Returns how many sheets there are, and how many pieces of text are on each. */
const print = async (page: Page) => {
  const pdf = await page.pdf({ format: 'A4' });
  const text = pdf.toString('latin1');
  const drawn = [...text.matchAll(/FlateDecode.*?stream\r?\n(.*?)endstream/gs)].map(
    ([, data = '']) => {
      try {
        return (
          inflateSync(Buffer.from(data, 'latin1'))
            .toString('latin1')
            .match(/\bTj\b/g)?.length ?? 0
        );
      } catch {
        return 0;
      }
    },
  );
  return {
    sheets: text.match(/\/Type\s*\/Page\b/g)?.length,
    pieces: drawn.reduce((sum, count) => sum + count, 0),
  };
};

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => `<p>Line${at + 1}</p>`).join('');

describe.skipIf(!hasBrowser)('the page of an HTML share on paper', () => {
  const sizes = { phone: 390, tablet: 820, desk: 1_280, wide: 1_920 };

  it('has all lines of the snippet, from whatever screen', async () => {
    const { share } = await serveShares();
    const url = await share({
      content: `<!doctype html><div style="text-align: right">${lines(120)}</div>`,
      title: 'Printed',
    });
    for (const [name, width] of Object.entries(sizes)) {
      const context = await openContext(browser, { viewport: { width, height: 700 } });
      const { page } = await openPage(context, url);
      const height = () =>
        page.evaluate(
          'getComputedStyle(document.querySelector("iframe")).getPropertyValue("--print-height")',
        );
      await expect.poll(height).toMatch(/px$/);
      const { sheets, pieces } = await print(page);
      expect(pieces, name).toBeGreaterThanOrEqual(120);
      expect(sheets, name).toBeLessThanOrEqual(5);
      await context.close();
    }
  });
});

describe.skipIf(!hasBrowser)('the page of a Markdown share on paper', () => {
  const cell = 'measurement';
  const wide = [`| ${Array(14).fill(cell).join(' | ')} |`, `|${' - |'.repeat(14)}`];
  const content = `${[...wide, `| ${Array(14).fill(`\`${cell}\``).join(' | ')} |`].join('\n')}

<https://a.example/b?c=d&e=f> www.b.example https://c.example/caf\u00e9/ [d.example](https://d.example/)
[a name](https://e.example/) [f.example](https://f.example/other)`;

  it('has whole tables, and each address once', async () => {
    const { share } = await serveShares();
    const url = await share({ content, language: 'markdown', title: 'Printed' });
    for (const address of [url, `${url}/raw?download=page`]) {
      const context = await openContext(browser, { viewport: { width: 718, height: 1_000 } });
      const page = await context.newPage();
      if (address === url) await page.goto(address);
      else await page.setContent(await (await page.request.get(address)).text());
      await page.emulateMedia({ media: 'print' });
      const right = 'document.querySelector("table").getBoundingClientRect().right';
      expect(await page.evaluate(right)).toBeLessThanOrEqual(718);
      const written = `[...document.querySelectorAll('.prose a')].map((one) => getComputedStyle(one, '::after').content)`;
      expect(await page.evaluate(written)).toEqual([
        ...Array(4).fill('none'),
        '" (https://e.example/)"',
        '" (https://f.example/other)"',
      ]);
      await context.close();
    }
  });
});
