import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { openEditor, text, textIs } from '../../support/pages/composer-page.ts';
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

const offer = (page: Page) => page.getByRole('button', { name: 'Paste as Markdown' });

describe.skipIf(!hasBrowser)('Rich text pasted into the composer', () => {
  const open = () => openEditor(browser);

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
    // Not even styles of the clipboard, which the policy blocks: only the image, whose host doesn't exist.
    const complained = expect.poll(() => new Set(complaints));
    await complained.toEqual(new Set(['Failed to load resource: net::ERR_NAME_NOT_RESOLVED']));
    // The preview shows the image, the conversion fetches none.
    const foreign = requests.filter((url) => !url.startsWith(new URL(page.url()).origin));
    expect(new Set(foreign)).toEqual(new Set(['https://camo.githubusercontent.com/abc']));
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
});
