// Files become shares in the composer. The Markdown that they become is in `shared/markdown/files.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  openSignedIn,
  ready,
  shareAndRead,
  startComposer,
  textIs,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';

const code = 'let a = 1;\r\n\r\nexport { a };';

const toFile = (name: string, text: string) => ({
  name,
  mimeType: '',
  buffer: Buffer.from(text),
});

const read = async (url: string): Promise<string> => (await fetch(url)).text();

describe.skipIf(!hasBrowser)('files in the composer', () => {
  it('become a page with line numbers and their exact texts', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await page.locator('#file').setInputFiles(toFile('app.ts', code));
    await page.locator('#preview figure').getByText('app.ts · TypeScript').waitFor();
    expect(await page.locator('#preview b[id]').count()).toBe(3);
    expect(await page.getByLabel('Title').inputValue()).toBe('app.ts');
    const url = await shareAndRead(page);
    expect(await read(`${url}/raw`)).toBe(code);
    expect(complaints).toEqual([]);
  });

  it('follow what is typed without a click, and are shared by keys wherever the focus is', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('share-content');
    await page.keyboard.type('Typed');
    await textIs(page, 'Typed');
    await page.evaluate(`(() => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['let a = 1;'], 'app.ts'));
      document.body.dispatchEvent(
        new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
      );
    })()`);
    await page.locator('#preview figure').getByText('app.ts · TypeScript').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('share-content');
    await page.locator('#bar').click({ position: { x: 300, y: 5 } });
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('BODY');
    await page.keyboard.press('Control+Enter');
    await ready(page);
    expect(complaints).toEqual([]);
  });
});
