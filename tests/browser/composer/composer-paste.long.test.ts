// Where rich text is pasted, how large it is, and what is offered for nothing of it.

import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { choose, isChosen, openEditor, text, textIs } from '../../support/pages/composer-page.ts';
import { pasteRich } from '../../support/pages/paste.ts';
import { browser } from '../../support/pages/shared-browser.ts';

/** Resolves once what follows a paste has run. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((resolve) => setTimeout(resolve)).then(() =>
    new Promise((resolve) => requestIdleCallback(resolve)))`);

const offer = (page: Page) => page.getByRole('button', { name: 'Paste as Markdown' });

describe.skipIf(!hasBrowser)('Rich text pasted into the composer', () => {
  const open = () => openEditor(browser);

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
