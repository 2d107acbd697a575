// Diagrams on the page of a share. The frame's headers and scripts are in `web/snippet/diagram.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';
import { block, drawn, flow, frames, inFrame, notes, open } from '../flows/diagrams.ts';

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
});
