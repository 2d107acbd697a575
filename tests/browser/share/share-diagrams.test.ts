// Diagrams on the page of a share. The frame's headers and scripts are in `web/snippet/diagram.test.ts`.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const block = (code: string): string => `\`\`\`mermaid\n${code}\n\`\`\`\n\n`;

const flow = 'graph TD;\n  A[Start] --> B[End];';

const open = async (content: string, options: Parameters<typeof openContext>[1] = {}) => {
  const { share, service } = await serveShares();
  const url = await share({ language: 'markdown', content });
  return { service, ...(await openPage(await openContext(browser, options), url)) };
};

const drawn = (page: Page) => page.locator('figure.drawn');
const notes = (page: Page) =>
  page.locator('figcaption span:not([hidden])', { hasText: 'Not drawn' });

/** The frames that draw. */
const frames = (page: Page) => page.frames().filter((frame) => frame.url().endsWith('/diagram'));

/** Evaluates in the frame of the first diagram. */
const inFrame = (page: Page, expression: string) => frames(page)[0]?.evaluate(expression);

describe.skipIf(!hasBrowser)('a diagram on the page of a share', () => {
  it('is drawn in place of its code, to which its reader switches and which can be copied', async () => {
    const permissions = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, complaints } = await open(
      `${block(flow)}\`\`\`js\nlet a;\n\`\`\`\n`,
      permissions,
    );
    await drawn(page).waitFor();
    expect(await inFrame(page, 'document.body.innerText')).toMatch(/Start\s+End/);
    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).toBe('allow-scripts');
    expect(new URL((await frame.getAttribute('src')) ?? '').pathname).toBe('/diagram');
    const [shown, of] = [
      await frame.boundingBox(),
      await page.locator('figure').first().boundingBox(),
    ];
    expect(shown?.height).toBeGreaterThan(100);
    expect(shown?.width).toBeLessThan(of?.width ?? 0);
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(flow);
    const button = page.getByRole('button', { name: 'Show code' });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => drawn(page).count()).toBe(0);
    expect((await page.locator('code.language-mermaid').boundingBox())?.height).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Show diagram' }).press('Enter');
    await drawn(page).waitFor();
    // The frame holds nothing that a keyboard could use.
    await page.getByRole('button', { name: 'Show code' }).press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Copy');
    expect(complaints).toEqual([]);
  });

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

  const hostile = [
    'graph TD;\n  A["<script>parent.stolen = 1</script>"] --> B["<img src=x onerror=alert(1)>"];',
    'graph TD;\n  A --> B;\n  click A "javascript:alert(1)" "tip";\n  click B href "https://evil.example/" _top;\n  click A call alert(1);',
    '%%{init: {"securityLevel": "loose", "htmlLabels": true, "startOnLoad": true, "secure": []}}%%\ngraph TD;\n  A["<b onclick=alert(1)>x</b><iframe src=https://evil.example/>"] --> B;',
    '%%{init: {"themeCSS": "@import url(https://evil.example/a.css); * { background: url(https://evil.example/b.png) }"}}%%\ngraph TD;\n  A --> B;',
    '%%{init: {"fontFamily": "x; } @font-face { font-family: y; src: url(https://evil.example/f.woff2) } * { font-family: y"}}%%\ngraph TD;\n  A --> B;',
    '---\nconfig:\n  securityLevel: antiscript\n  dompurifyConfig:\n    ADD_TAGS: [script]\n  layout: elk\n---\ngraph TD;\n  A --> B;',
    'graph TD;\n  A@{ img: "https://evil.example/i.png", label: "x", w: 60, h: 60 } --> B;',
    'graph TD;\n  A --> B;\n  style A fill:url(https://evil.example/s.svg),background:url(https://evil.example/t.png);\n  classDef c fill:red,background-image:url(https://evil.example/u.png);\n  class B c;',
    '%%{init: {"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}}%%\ngraph TD;\n  A --> B;',
    'sequenceDiagram\n  participant A\n  link A: x @ javascript:alert(1)\n  links A: {"y": "https://evil.example/"}\n  A->>A: <svg onload=alert(1)>',
  ];

  it('can’t run, request or reach anything, whatever its code says', async () => {
    const { share, service } = await serveShares();
    const url = await share({ language: 'markdown', content: hostile.map(block).join('') });
    const context = await openContext(browser);
    // What a policy blocks never gets here.
    const sent: string[] = [];
    await context.route(/evil\.example/, (route) => {
      sent.push(route.request().url());
      return route.abort();
    });
    const { page, origins } = await openPage(context, url);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => dialogs.push(dialog.message()));
    const globals =
      'Object.keys(window).filter((name) => !/^[0-9]+$/.test(name)).length + Number("polluted" in {}) + Number("stolen" in window)';
    const before = await page.evaluate(globals);
    await page.setViewportSize({ width: 1_280, height: 9_000 });
    await expect
      .poll(async () => (await drawn(page).count()) + (await notes(page).count()))
      .toBe(hostile.length);
    expect(await drawn(page).count()).toBeGreaterThanOrEqual(7);
    for (const frame of frames(page)) {
      const found = await frame.evaluate(`({
        origin,
        active: document.querySelectorAll('a, script:not([type=module]), iframe, [onclick], [onerror], [onload]').length,
        styles: document.documentElement.innerHTML.match(/@import|@font-face/g),
        polluted: 'polluted' in {},
      })`);
      expect(found).toEqual({ origin: 'null', active: 0, styles: null, polluted: false });
    }
    expect(sent).toEqual([]);
    const others = [...origins].filter((origin) => !/evil/.test(origin));
    expect(others).toHaveLength(2);
    expect(others).toContain(new URL(service).origin);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(globals)).toBe(before);
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
});
