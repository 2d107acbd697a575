// The pages of a share as its readers use them. What is sent is in `web/share-page/`.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { inspect, openContext, openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { serveShares } from '../../support/shares/serve-shares.ts';

const code = `const greet = (name: string): string => {
  // A comment that is long enough to scroll where the screen is narrow, and on a wide one too, if only just so
  return \`Hello, \${name}\` + 42 + null;
};
class Point extends Base { @input() x = /re+/g; }`;

const document = `# A field guide

An introduction with **strong**, *stressed* and ~~wrong~~ words, \`code\`, and a [link](https://example.com/ "Example").[^1]

## What there is

- One
- Two
  1. Nested
- [x] Done
- [ ] To do

> Quoted words, which someone said.

### Code

\`\`\`ts
${code}
\`\`\`

\`\`\`diff
- removed
+ added
\`\`\`

\`\`\`html
<p class="a">Text &amp; more</p>
\`\`\`

| Name | ${Array.from({ length: 14 }, (_, at) => `Column ${at}`).join(' | ')} |
|---${'|--:'.repeat(14)}|
| first | ${'123456 | '.repeat(14)}

---

فقرة بالعربية مع **كلمات** قوية 🎉

[^1]: A note at the foot.
`;

describe.skipIf(!hasBrowser)('the share pages in a browser', () => {
  const open = async (url: string) =>
    openPage(
      await openContext(browser, { permissions: ['clipboard-read', 'clipboard-write'] }),
      url,
    );
  const clipboard = (page: Page) => page.evaluate('navigator.clipboard.readText()');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const openMenu = (page: Page) => button(page, 'More actions').click();

  it('render Markdown for reading, copying, saving, printing and keyboard use', async () => {
    const { service, share } = await serveShares();
    const url = await share({
      content: document,
      language: 'markdown',
      title: 'A field guide: all there is',
      description: 'Everything that Markdown can say, on one page.',
      expiresIn: 3_600,
    });
    const { page, complaints, origins } = await open(url);
    expect(await page.title()).toBe('A field guide: all there is');
    await expect
      .poll(() => page.locator('.byline').innerText())
      .toMatch(/^AE\s+By\s+Ann Example\s+\d+ \w+ \d{4} · 1 min\s+Expires \d+ \w+, \d\d:\d\d$/);

    await button(page, 'Copy link').click();
    await page.getByText('Link copied').waitFor();
    await expect.poll(() => clipboard(page)).toBe(url);
    await openMenu(page);
    await button(page, 'Copy source').click();
    await page.getByText('Source copied').waitFor();
    await expect.poll(() => clipboard(page)).toBe(document);
    await expect.poll(() => button(page, 'Copy source').isVisible()).toBe(false);

    await page
      .getByRole('figure', { name: 'Code, TypeScript' })
      .getByRole('button', { name: 'Copy' })
      .click();
    await page.getByText('Code copied').waitFor();
    await expect.poll(() => clipboard(page)).toBe(code);

    await openMenu(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Markdown' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('A field guide all there is.md');
    expect(await readFile(await saved.path(), 'utf8')).toBe(document);

    const stops = '.prose [tabindex="0"]';
    await expect.poll(() => page.locator(`${stops} table`).count()).toBe(1);
    await expect
      .poll(() => page.locator(`pre${stops.replace('.prose ', '')}`).count())
      .toBeLessThan(3);
    await page.locator('.scroll').focus();
    await page.keyboard.press('ArrowRight');
    // The page’s policy blocks Playwright’s polling within the page.
    await expect
      .poll(() => page.evaluate('document.querySelector(".scroll").scrollLeft'))
      .toBeGreaterThan(0);

    await page.emulateMedia({ media: 'print' });
    await expect.poll(() => button(page, 'Copy link').isVisible()).toBe(false);
    await expect.poll(() => page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    await expect.poll(() => page.locator('main').isVisible()).toBe(true);
    expect(complaints).toEqual([]);
    expect([...origins]).toEqual([service]);
  });

  it('are readable without a script', async () => {
    const { share } = await serveShares();
    const url = await share({ content: document, language: 'markdown' });
    const context = await openContext(browser, { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.title()).toBe('A field guide');
    await expect.poll(() => page.locator('h1').count()).toBe(1);
    expect(await page.getByRole('button').all()).toHaveLength(1);
    await page.locator('.toc summary').click();
    await page.locator('.toc').getByRole('link', { name: 'What there is' }).click();
    expect(page.url()).toBe(`${url}#what-there-is`);
    await openMenu(page);
    await expect
      .poll(() => page.locator('.menu a, .menu button').filter({ visible: true }).count())
      .toBe(4);
    await page.getByRole('link', { name: 'Raw' }).click();
    await expect.poll(() => page.locator('body').innerText()).toContain('# A field guide');
    await page.goBack();
    await page.getByRole('contentinfo').getByRole('link', { name: 'Report' }).click();
    await page.getByLabel('What’s wrong with it?').fill('It is spam');
    await page.getByRole('button', { name: 'Send report' }).click();
    await page.getByRole('heading', { name: 'Report sent' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Report sent' }).waitFor();
  });

  it('show HTML in the full window, report blocked requests, and support full screen', async () => {
    const { share } = await serveShares();
    const url = await share({
      content: `<!doctype html><title>x</title><h1>Framed</h1><p id="mode"></p><img src="http://pictures.test/a.png" alt="">
<script>mode.textContent = document.compatMode + document.scripts.length; fetch('https://api.test/data').catch(() => {})</script>`,
      title: 'A demonstration',
    });
    const { page } = await open(url);
    await page.getByText('2 requests blocked').click();
    await expect
      .poll(async () => (await page.locator('.blocked li').allInnerTexts()).sort())
      .toEqual(['connection: https://api.test/data', 'image: http://pictures.test/a.png']);
    const frame = page.frameLocator('iframe');
    await expect.poll(() => frame.locator('#mode').innerText()).toBe('CSS1Compat1');
    await inspect(page, 'share-html');
    await page.getByText('2 requests').click();
    const [stage, window] = [await page.locator('iframe').boundingBox(), page.viewportSize()];
    expect(stage?.width).toBe(window?.width);
    expect(stage?.height).toBeGreaterThan((window?.height ?? 0) * 0.7);

    await openMenu(page);
    await button(page, 'Full screen').click();
    await expect.poll(() => page.evaluate('document.fullscreenElement?.className')).toBe('stage');
    const report = page.locator('.stage').getByRole('link', { name: 'Report' });
    await expect.poll(() => report.isVisible()).toBe(true);
  });

  it('ask for the password, keep the content for copying and saving, and end with the last view', async () => {
    const { share, viewsOf } = await serveShares();
    const content = '# Secret\n\nOnly for you.';
    const url = await share({ content, language: 'markdown', password: 'Abc123', viewLimit: 2 });
    const { page, complaints } = await open(url);
    await page.getByLabel('Password').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('wrong1');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Incorrect password. Try again.' }).waitFor();
    await page.getByLabel('Password').fill('Abc123');
    await button(page, 'Open snippet').click();
    await page.getByRole('heading', { name: 'Secret' }).waitFor();
    // A reload counts no other view.
    await page.reload();
    await page.getByRole('heading', { name: 'Secret' }).waitFor();
    await page.getByText('1 view left').waitFor();
    await expect
      .poll(() => page.evaluate('document.querySelector("[data-name]").href'))
      .toMatch(/^blob:/);
    await openMenu(page);
    await button(page, 'Copy source').click();
    await page.getByText('Source copied').waitFor();
    await expect.poll(() => clipboard(page)).toBe(content);
    await button(page, 'Copy link').click();
    await page.getByText('Link copied').waitFor();
    await expect.poll(() => clipboard(page)).toBe(url);
    await openMenu(page);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download Markdown' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('Secret.md');
    await expect.poll(() => viewsOf(url)).toBe(1);
    // Others see it until the limit is reached.
    const { page: other } = await open(url);
    await other.getByLabel('Password').fill('Abc123');
    await button(other, 'Open snippet').click();
    await other.getByText('No views left').waitFor();
    const { page: late } = await open(url);
    await late.getByRole('heading', { name: 'This share has reached its view limit' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
