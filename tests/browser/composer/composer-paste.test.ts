import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  choose,
  codeMirror,
  isChosen,
  newContext,
  startComposer,
  text,
  textIs,
} from '../../support/pages/composer-page.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { pasteRich } from '../../support/pages/paste.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const sample = (name: 'word' | 'docs' | 'github'): string =>
  readFileSync(`${import.meta.dirname}/../../support/rich-paste/${name}.clipboard`, 'utf8');

/** What the samples become. */
const markdown = {
  word: `# Release plan

## Before the release

Read [**the checklist**](https://example.com/checklist), then tell **everyone** that it costs \\$5 \\<or less>.

- Freeze the branch
  - On Monday
- Run the *whole* suite

1. Tag
2. Publish

| Who | What |
| - | - |
| Ann \\| Ben | Notes Texts |

A sketch`,
  docs: `# Minutes

**Decided:** we *keep* the ~~old~~ plan, see [the plan](https://example.com/plan).

- Write the texts
  - In English first
- Review them

| Name | Days |
| - | - |
| Ann | 3 |`,
  github: `## Usage

Call \`run\` with a [configuration](https://github.com/example/tool/blob/main/CONFIG.md):

\`\`\`js
import run from "tool";

run();
\`\`\`

- [x] Fast
- [ ] Small

> It just works.

| Option | Default |
| - | -: |
| \`a\\|b\` | 1 |

[![Build](https://camo.githubusercontent.com/abc)](https://camo.githubusercontent.com/abc)`,
} as const;

/** Resolves once what follows a paste has run. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => setTimeout(resolve)).then(() =>
    new Promise((resolve) => requestIdleCallback(resolve)))`);

const offer = (page: Page) => page.getByRole('button', { name: 'Paste as Markdown' });

describe.skipIf(!hasBrowser)('Rich text pasted into the composer', () => {
  const open = async () => {
    const opened = await openPage(await newContext(browser), await startComposer());
    await codeMirror(opened.page);
    return opened;
  };

  it('becomes Markdown by one click, and plain text again by one Ctrl+Z', async () => {
    const { page, complaints } = await open();
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    for (const name of ['word', 'docs', 'github'] as const) {
      const plain = `Plain ${name}\nof two lines`;
      await text(page).fill('');
      await pasteRich(page, { plain, html: sample(name), hasImage: name === 'word' });
      await textIs(page, plain);
      await offer(page).click();
      await textIs(page, markdown[name]);
      await expect.poll(() => offer(page).isVisible()).toBe(false);
      await page.keyboard.press('Control+z');
      await textIs(page, plain);
      await page.keyboard.press('Control+y');
      await textIs(page, markdown[name]);
    }
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    // The preview shows the image, the conversion fetches none.
    const foreign = requests.filter((url) => !url.startsWith(new URL(page.url()).origin));
    expect(new Set(foreign)).toEqual(new Set(['https://camo.githubusercontent.com/abc']));
    // Not even styles of the clipboard, which the policy blocks: only the image, whose host doesn't exist.
    expect(new Set(complaints)).toEqual(
      new Set(['Failed to load resource: net::ERR_NAME_NOT_RESOLVED']),
    );
  });

  it('stands apart from the text around it, but within a line where it has no blocks', async () => {
    const { page } = await open();
    await text(page).fill('Before. ');
    await pasteRich(page, { plain: 'Title', html: '<h1>Title</h1><p>Text</p>' });
    await offer(page).click();
    await textIs(page, 'Before. \n\n# Title\n\nText');
    await text(page).fill('See ');
    await pasteRich(page, {
      plain: 'the page',
      html: '<a href="https://example.com/">the page</a>',
    });
    await offer(page).click();
    await textIs(page, 'See [the page](https://example.com/)');
  });

  it('turns an empty HTML share into Markdown, and offers nothing within HTML', async () => {
    const { page } = await open();
    await choose(page, 'HTML');
    await text(page).fill('<p>Mine</p>');
    await pasteRich(page, { plain: 'Title', html: '<h1>Title</h1>' });
    await settled(page);
    expect(await offer(page).isVisible()).toBe(false);
    await text(page).fill('');
    await pasteRich(page, { plain: 'Title', html: '<h1>Title</h1>' });
    await offer(page).click();
    await textIs(page, '# Title');
    expect(await isChosen(page, 'Markdown')).toBe(true);
  });

  it('is offered only for structure: not for colored code, bare addresses or tables of code', async () => {
    const { page } = await open();
    const copies = [
      '<div style="font-family: monospace; white-space: pre;"><div><span style="color: #569cd6;">const</span> a = 1;</div></div>',
      '<html><body><pre style="color:#000"><span style="font-weight:bold;">return</span> 1</pre></body></html>',
      '<pre><a href="https://example.com/#L1">1</a> code</pre>',
      '<table><tr><td class="blob-code">const a = 1;</td></tr></table>',
      '<a href="https://example.com/">https://example.com/</a>',
      '<p>Only <span>words</span></p>',
    ];
    for (const html of copies) {
      await pasteRich(page, { plain: 'copied', html });
      await settled(page);
      expect(await offer(page).isVisible(), html).toBe(false);
    }
  });

  it('stays plain text where it is too large, and says so', async () => {
    const { page } = await open();
    const hostile = [
      `<h1>${'x'.repeat(1_000_000)}</h1>`,
      `<h1>x</h1>${'<b>'.repeat(100_000)}`,
      `${'<div>'.repeat(200)}<h1>x</h1>`,
    ];
    for (const html of hostile) {
      await text(page).fill('');
      await pasteRich(page, { plain: 'as text', html });
      await page.getByText('too large to become Markdown').waitFor();
      await textIs(page, 'as text');
    }
    expect(await offer(page).isVisible()).toBe(false);
  });

  it('runs no script, loads nothing and keeps no link of a hostile clipboard', async () => {
    const { page } = await open();
    const html = `<h1 onclick="x()">T</h1><script>window.ran = 1</script><img src=x onerror="window.ran = 1">
      <a href="javascript:window.ran=1">a</a> <a href="data:text/html,x">b</a> <iframe src="https://example.com/frame"></iframe>
      <svg onload="window.ran = 1"></svg><style>@import "https://example.com/style"</style><!-- <b>secret</b> -->
      <p style="background: url(https://example.com/image)">&lt;img src=x onerror=alert(1)&gt;</p>`;
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await pasteRich(page, { plain: 'T', html });
    await offer(page).click();
    await textIs(page, '# T\n\na b\n\n\\<img src=x onerror=alert(1)>');
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(requests.filter((url) => url.includes('example.com'))).toEqual([]);
  });

  it('asks for it to be pasted again once it was changed', async () => {
    const { page } = await open();
    await pasteRich(page, { plain: 'Title', html: '<h1>Title</h1>' });
    await offer(page).waitFor();
    await text(page).fill('Another');
    await offer(page).click();
    await page.getByText('The pasted text has changed since. Paste it again.').waitFor();
    await textIs(page, 'Another');
  });
});
