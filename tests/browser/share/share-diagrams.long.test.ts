// Diagrams that aren’t drawn, and those of other colors. What is drawn, and what it can’t reach, is in `share-diagrams.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';
import { block, drawn, flow, inFrame, notes, open } from '../flows/diagrams.ts';

describe.skipIf(!hasBrowser)('a diagram on the page of a share', () => {
  it('has the reader’s colors, also when they change, and fits a phone', async () => {
    const wide = `graph LR;\n${Array.from({ length: 9 }, (_, at) => `N${at}[Node ${at}] --> N${at + 1}[Node ${at + 1}]`).join('\n')}`;
    const { page, complaints } = await open(block(wide), {
      colorScheme: 'dark',
      viewport: { width: 390, height: 664 },
    });
    await drawn(page).waitFor();
    const scheme = () => inFrame(page, 'document.documentElement.style.colorScheme');
    expect(await scheme()).toBe('dark');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    // What would be too small to read scrolls, also by keyboard.
    const place = page.getByRole('group', { name: 'Diagram' });
    expect(
      await page.evaluate(
        '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector(".drawing"))',
      ),
    ).toBe(true);
    expect(await place.getAttribute('tabindex')).toBe('0');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(scheme).toBe('light');
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await expect.poll(() => page.locator('iframe').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  it('stays code after 3 seconds of drawing, and after 20 others', async () => {
    const { share } = await serveShares();
    const url = await share({ language: 'markdown', content: block(flow).repeat(21) });
    const context = await openContext(browser);
    // A frame that never ends its drawing: it says that it begins.
    await context.route('**/diagram', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: '<script>onmessage=({data})=>parent.postMessage({state:"drawing",number:data.number},"*");parent.postMessage({state:"ready"},"*")</script>',
      }),
    );
    const page = await context.newPage();
    await page.clock.install({ time: 0 });
    await page.goto(url);
    await expect.poll(() => notes(page).allTextContents()).toEqual(['Not drawn: over 20 diagrams']);
    await page.locator('iframe').first().waitFor({ state: 'attached' });
    await expect
      .poll(async () => {
        await page.clock.runFor(1_000);
        return notes(page).first().textContent();
      })
      .toBe('Not drawn: too complex');
    expect(await notes(page).last().textContent()).toBe('Not drawn: over 20 diagrams');
  });

  it('stays code without a script, and where the frame is blocked', async () => {
    const off = await open(block(flow), { javaScriptEnabled: false });
    expect(await off.page.locator('code.language-mermaid').isVisible()).toBe(true);
    expect(await off.page.locator('button:visible', { hasText: 'Show' }).count()).toBe(0);
    const { share } = await serveShares();
    const url = await share({ language: 'markdown', content: block(flow) });
    const context = await openContext(browser);
    await context.route('**/diagram', (route) => route.abort());
    const page = await context.newPage();
    await page.clock.install({ time: 0 });
    await page.goto(url);
    await expect
      .poll(async () => {
        await page.clock.runFor(5_000);
        return notes(page).allTextContents();
      })
      .toEqual(['Not drawn']);
    expect(await page.locator('code.language-mermaid').isVisible()).toBe(true);
  });

  it('believes no other window, and no size that is none', async () => {
    const { page } = await open(block(flow));
    await drawn(page).waitFor();
    const height = () => page.evaluate('document.querySelector("iframe").offsetHeight');
    const before = await height();
    expect(before).toBeGreaterThan(100);
    await page.evaluate(
      'postMessage({ state: "drawn", number: 1, width: 10, height: 9000 }, "*"); new Promise((done) => setTimeout(done))',
    );
    expect(await height()).toBe(before);
  });

  it.each([
    ['has an error', 'graph TD;\n  A -->', 'Not drawn: error in the code'],
    ['is of no kind', 'nonsense', 'Not drawn: error in the code'],
    ['is larger than 50 KB', `graph TD;\n%% ${'x'.repeat(51_200)}\nA;`, 'Not drawn: over 50 KB'],
    [
      'has more edges than Mermaid draws',
      `graph TD;\n${Array.from({ length: 501 }, (_, at) => `A${at} --> B`).join('\n')}`,
      'Not drawn: error in the code',
    ],
  ])('stays code that %s', async (_, code, note) => {
    const { page, complaints } = await open(block(code));
    await expect.poll(() => notes(page).allTextContents()).toEqual([note]);
    expect(await page.locator('iframe').count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Show/ }).count()).toBe(0);
    await expect.poll(() => page.locator('code.language-mermaid').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });
});
