// The rarer parts of a Markdown share: images that fail, logs, line ends, what scrolls. How it is read is in `share-markdown.test.ts`.

import { describe, expect, it } from 'vitest';
import { filesToMarkdown } from '../../../shared/markdown/files/files-to-markdown.ts';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';
import { long, open } from '../flows/markdown-page.ts';

describe.skipIf(!hasBrowser)('a Markdown page in a browser', () => {
  it('says which images fail, also before its script ran, and shows those that load later', async () => {
    const { share } = await serveShares();
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
    const context = await openContext(browser);
    await context.route('https://a.example/**', (route) =>
      route.request().url().endsWith('.svg')
        ? route.fulfill({ contentType: 'image/svg+xml', body: svg })
        : route.abort(),
    );
    const content = `![Logo](https://a.example/b.png) ![](https://a.example/c.png?d) ![S](https://a.example/s.svg)

![L](https://a.example/l#gh-light-mode-only)<picture><source media="(prefers-color-scheme: dark)" srcset="https://a.example/dark.svg"><img alt="P" src="https://a.example/p.png"></picture>`;
    const url = await share({ language: 'markdown', content });
    // The script waits until the images have failed.
    const failed = Promise.withResolvers<void>();
    await context.route('**/share.js*', async (route) => {
      await failed.promise;
      await route.continue();
    });
    const { page } = await openPage(context, 'about:blank');
    await page.emulateMedia({ colorScheme: 'light' });
    const images: string[] = [];
    page.on('requestfailed', (request) => {
      if (images.push(request.url()) === 4) failed.resolve();
    });
    await page.goto(url, { waitUntil: 'load' });
    const said = () => page.locator('.unshown-image').allInnerTexts();
    const why = '(not shown: it couldn’t be loaded)';
    await expect.poll(said).toEqual([`Logo ${why}`, `c.png ${why}`, `L ${why}`, `P ${why}`]);
    expect(await page.locator('img[alt=S]').isHidden()).toBe(false);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(said).not.toContain(`P ${why}`);
  });

  it('lets the keyboard reach what an author made scroll', async () => {
    const wide = 'wide '.repeat(100);
    const cells = `<table><tr>${'<td>wide</td>'.repeat(60)}</tr></table>`;
    const { page, complaints } = await open({
      content: `<pre>${wide}<b>bold</b></pre>\n\n${cells}\n\nIn a line $${long}$.`,
    });
    await inspect(page, 'share-scrolling');
    await page.setViewportSize({ width: 390, height: 664 });
    for (const box of [
      page.getByRole('group', { name: 'Preformatted text' }),
      page.getByRole('group', { name: 'Table' }),
      page.locator('math.tml-wide'),
    ]) {
      await expect.poll(() => box.getAttribute('tabindex')).toBe('0');
      await box.focus();
      await page.keyboard.press('ArrowRight');
      const scrolled = () => page.evaluate<number>('document.activeElement.scrollLeft');
      await expect.poll(scrolled).toBeGreaterThan(0);
    }
    expect(complaints).toEqual([]);
  });

  it('shows the lines of a file and copies it exactly, whatever ends them', async () => {
    const { share } = await serveShares();
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, complaints } = await openPage(
      await openContext(browser, permissions),
      'about:blank',
    );
    const texts = ['#!/bin/sh\necho hi\n', '#!/bin/sh\r\necho hi\r\n'];
    for (const text of [...texts, '#!/bin/sh\recho hi\r', '#!/bin/sh\r\necho hi']) {
      const file = filesToMarkdown([
        { name: 'hi.sh', text },
        { name: 'more.txt', text: 'x' },
      ]);
      await page.goto(await share({ language: 'markdown', content: file }));
      const tops = (await page.evaluate(
        'Array.from(document.querySelectorAll("b[id^=file1]"), (line) => line.getBoundingClientRect().top)',
      )) as number[];
      const [first = 0, second = 0, third] = tops;
      expect(second).toBeGreaterThan(first + 10);
      expect(third).toBeUndefined();
      const { height = 0 } = (await page.locator('pre').first().boundingBox()) ?? {};
      expect(height).toBeLessThan(4 * (second - first));
      await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
      await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(text);
    }
    expect(complaints).toEqual([]);
  });

  it('shows the colors of a log, and wraps its lines on this device from then on', async () => {
    const { share } = await serveShares();
    const colors = [1, 3, 5, 7, 9, 11].map((at) => `\u001B[3${at % 8};4${at % 7}mcolor\u001B[0m`);
    const text = `${colors.join(' ')}\n${'A long line. '.repeat(60)}\nEnd\n`;
    const content = filesToMarkdown([
      { name: 'first.log', text },
      { name: 'second.log', text },
    ]);
    const url = await share({ language: 'markdown', content });
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, complaints } = await openPage(await openContext(browser, permissions), url);
    await inspect(page, 'share-log');
    const wrap = page.getByRole('button', { name: 'Wrap lines', pressed: false }).last();
    const isWide = (at: number) =>
      page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelectorAll('pre')[${at}])`,
      );
    expect(await isWide(0)).toBe(true);
    await wrap.focus();
    const before = await wrap.boundingBox();
    await page.keyboard.press('Space');
    const pressed = page.getByRole('button', { name: 'Wrap lines', pressed: true });
    await expect.poll(() => pressed.count()).toBe(2);
    expect([await isWide(0), await isWide(1)]).toEqual([false, false]);
    // What is above has grown, and the switch is where it was.
    expect((await pressed.last().boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
    const at = async (line: string) => (await page.locator(line).boundingBox()) ?? { x: 0, y: 0 };
    const [second, third] = [await at('#file1-L2'), await at('#file1-L3')];
    expect(third.x).toBe(second.x);
    expect(third.y).toBeGreaterThan(second.y + 60);
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await page.reload();
    await expect.poll(() => pressed.count()).toBe(2);
    await pressed.first().click();
    await expect.poll(() => isWide(0)).toBe(true);
    // Paper has no way to scroll.
    await page.emulateMedia({ media: 'print' });
    expect(await isWide(0)).toBe(false);
    expect(complaints).toEqual([]);
  });

  it('leads to a part of a share that has to be opened first', async () => {
    const content = `# A\n\n${'Words. '.repeat(900)}\n\n## The end\n\n${'Words. '.repeat(900)}`;
    const { page } = await open({ content, viewLimit: 3 }, '#the-end');
    await page.getByRole('button', { name: 'Open' }).click();
    const heading = page.getByRole('heading', { name: 'The end' });
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeGreaterThan(50);
    await expect.poll(async () => (await heading.boundingBox())?.y ?? 0).toBeLessThan(120);
    expect(new URL(page.url()).hash).toBe('#the-end');
  });
});
