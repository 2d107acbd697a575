// Diagrams in the composer's preview. How they are drawn is in `browser/share/share-diagrams.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import { codeMirror, newContext, startComposer, text } from '../../support/pages/composer-page.ts';
import { openPage } from '../../support/pages/open-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const diagram = (code: string) => `# Hi\n\n\`\`\`mermaid\n${code}\n\`\`\`\n`;

describe.skipIf(!hasBrowser)('the preview of a diagram', () => {
  it('is drawn, keeps its frame while other text changes, and its drawing until the code is drawn again', async () => {
    const { page } = await openPage(await newContext(browser), await startComposer());
    await codeMirror(page);
    await text(page).fill(diagram('graph TD;\n  A[First] --> B;'));
    await page.locator('#preview figure.drawn').waitFor();
    const [frame] = page.frames().filter((one) => one.url().endsWith('/diagram'));
    const shown = () => frame?.evaluate('document.body.innerText');
    expect(await shown()).toContain('First');
    await text(page).fill(`Before.\n\n${diagram('graph TD;\n  A[First] --> B;')}`);
    await page.locator('#preview').getByText('Before.').waitFor();
    expect(await shown()).toContain('First');
    // An unfinished edit shows the last good drawing.
    await text(page).fill(`Before.\n\n${diagram('graph TD;\n  A[First] -->')}`);
    await expect
      .poll(() => page.locator('#preview code').textContent())
      .toBe('graph TD;\n  A[First] -->\n');
    expect(await shown()).toContain('First');
    await page.locator('#preview figure.drawn').waitFor();
    await text(page).fill(`Before.\n\n${diagram('graph TD;\n  A[Second] --> B;')}`);
    await expect.poll(shown).toContain('Second');
    expect(await page.locator('#preview iframe').count()).toBe(1);
    await text(page).fill('No diagram.');
    await expect.poll(() => page.locator('#preview iframe').count()).toBe(0);
  });
});
