// Several files as one share, and the titles of files. One file is in `composer-files.test.ts`.

import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../../support/pages/browser.ts';
import {
  codeMirror,
  openEdit,
  openSignedIn,
  shareAndRead,
  startComposer,
} from '../../support/pages/composer-page.ts';
import { browser } from '../../support/pages/shared-browser.ts';
import { send } from '../../support/run/process.ts';

const code = 'let a = 1;\r\n\r\nexport { a };';
const styles = 'a { color: red }\n';

const read = async (url: string): Promise<string> => (await fetch(url)).text();

describe.skipIf(!hasBrowser)('files in the composer', () => {
  it('become one share when several are dropped, each with its own text', async () => {
    const { page, complaints } = await openSignedIn(browser, await startComposer());
    await page.evaluate(
      ([one, other]) => {
        const data = new DataTransfer();
        data.items.add(new File([one ?? ''], 'app.ts'));
        data.items.add(new File([other ?? ''], 'app.css'));
        data.items.add(new File(['{ "a": 1 }'], 'app.json'));
        const init = { dataTransfer: data, bubbles: true, cancelable: true };
        document.body.dispatchEvent(new DragEvent('drop', init));
      },
      [code, styles],
    );
    await page.locator('#preview h2').filter({ hasText: 'app.css' }).waitFor();
    expect(await page.getByLabel('Title').inputValue()).toBe('app.ts, app.css, app.json');
    await codeMirror(page);
    const url = await shareAndRead(page);
    expect(await read(`${url}/raw?file=app.ts`)).toBe(code);
    expect(await read(`${url}/raw?file=app.css`)).toBe(styles);
    expect(complaints).toEqual([]);
  });

  it('stay exact when only the title is edited', async () => {
    const content = `\`\`\`ts title="app.ts" noeol\n${code}\n\`\`\`\n`;
    const { page, url, id } = await openEdit(browser, { content, language: 'markdown' });
    await page.getByLabel('Title').fill('Another');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Changes saved' }).waitFor();
    expect((await send(`${url}/api/share?id=${id}`)).body).toMatchObject({
      title: 'Another',
      content,
    });
  });

  it('of Markdown have the title of their front matter, heading or name', async () => {
    const url = await startComposer();
    const { page, complaints } = await openSignedIn(browser, url);
    for (const [content, value, title] of [
      ['---\ntitle: The plan\n---\n\n# Hi', '', 'The plan'],
      ['---\na: b\n---\n\n# Hi', '', 'Hi'],
      ['# Hi', 'notes', 'notes'],
    ] as const) {
      await page.goto(url);
      await page
        .locator('#file')
        .setInputFiles({ name: 'notes.md', mimeType: '', buffer: Buffer.from(content) });
      await page.locator('#preview').getByRole('heading', { name: 'Hi' }).waitFor();
      const field = page.getByLabel('Title');
      expect(await field.inputValue()).toBe(value);
      if (value === '') await expect.poll(() => field.getAttribute('placeholder')).toBe(title);
      expect(await read(await shareAndRead(page))).toContain(`<title>${title}</title>`);
    }
    expect(complaints).toEqual([]);
  });
});
