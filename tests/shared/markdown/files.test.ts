import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../shared/markdown/convert.ts';
import { findFiles, pickFile, writeFiles } from '../../../shared/markdown/files/file-blocks.ts';
import { render } from '../../../shared/markdown/markdown.ts';
import { toPage as createPage } from '../../../shared/markdown/page/to-page.ts';

const empty = { html: '', events: [] };
const limit = { field: 'content', cpuMs: 3_000 };
const toPage = async (markdown: string) => (await render(markdown, limit)).page;

const file = (name: string, text: string, language = 'text') => ({ name, language, text });

const texts = fc
  .array(
    fc.constantFrom(
      'a',
      ' ',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '```',
      '````',
      '~~~',
      '> ',
      '- ',
      '$$',
      '---\n',
      '\\',
      '&amp;',
      '🎉',
      '\uFEFF',
      '\0',
      '```ts title="x"\n',
      '\u2028',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

describe('files written as Markdown', () => {
  it('are a block of code, or several with a heading each', () => {
    expect(writeFiles([file('app.ts', 'let a;\n', 'ts')])).toBe(
      '```ts title="app.ts"\nlet a;\n```\n',
    );
    expect(writeFiles([file('a.py', 'x', 'python'), file('b.md', '```\n', 'markdown')])).toBe(
      '## `a.py`\n\n```python title="a.py" noeol\nx\n```\n\n## `b.md`\n\n````markdown title="b.md"\n```\n````\n',
    );
  });

  it('are found with their exact texts, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), (all) => {
        const files = all.map((text, at) => file(`${at}.txt`, text));
        const found = findFiles(writeFiles(files));
        expect(found.files.map(({ name, text }) => ({ name, text }))).toEqual(
          files.map(({ name, text }) => ({ name, text })),
        );
        expect(found.isOnlyFile).toBe(all.length === 1);
      }),
      { numRuns: 200 },
    );
  });

  it('are on the page what they are for the raw texts', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 3 }), async (all) => {
        const markdown = writeFiles(all.map((text, at) => file(`${at}.txt`, text)));
        const page = await toPage(markdown);
        expect(page.match(/ data-file="/g)).toHaveLength(all.length);
      }),
      { numRuns: 50 },
    );
  });

  it('keep their exact text when an editor ends the lines of the whole text by CRLF', () => {
    const markdown = writeFiles([file('a', 'x\ny')]).replaceAll('\n', '\r\n');
    expect(pickFile(markdown, 'a')?.text).toBe('x\r\ny');
  });

  it('have names that fit in a line, each its own', () => {
    const names = ['a"b`c\n.ts', 'a.ts', 'a.ts', '', '.env', '.env'];
    const { files } = findFiles(writeFiles(names.map((name) => file(name, 'x\n'))));
    expect(files.map(({ name }) => name)).toEqual([
      'a_b_c_.ts',
      'a.ts',
      'a 2.ts',
      '_',
      '.env',
      '.env 2',
    ]);
  });

  it('are picked by name, or as the only one', () => {
    const one = writeFiles([file('a.ts', 'x')]);
    const two = writeFiles([file('a.ts', 'x'), file('b.ts', 'y')]);
    expect(pickFile(one, undefined)?.text).toBe('x');
    expect(pickFile(two, undefined)).toBeUndefined();
    expect(pickFile(`Some words\n\n${one}`, undefined)).toBeUndefined();
    expect(pickFile(two, 'b.ts')?.text).toBe('y');
    expect(pickFile(two, 'c.ts')).toBeUndefined();
    expect(pickFile('```ts\nx\n```\n', undefined)).toBeUndefined();
  });
});

describe('the page of a file', () => {
  it('has its name and a mark at each line', async () => {
    expect(await toPage('```ts title="a.ts"\n/* a\nb */\r\n\nlet c;\n```\n')).toBe(
      '<pre><code class="hljs language-ts" data-language="TypeScript" data-file="a.ts"><b id="L1"></b><span class="hljs-comment">/* a\n<b id="L2"></b>b */</span>&#13;\n<b id="L3"></b>\n<b id="L4"></b><span class="hljs-keyword">let</span> c;\n</code></pre>\n',
    );
  });

  it.each([
    ['LF', '#!/bin/sh\necho hi\n', 2],
    ['CRLF', '#!/bin/sh\r\necho hi\r\n', 2],
    ['CR', '#!/bin/sh\recho hi\r', 2],
    ['different endings', 'a\r\rb\r\n\nc\nd\r', 6],
    ['no last ending', 'a\r\nb', 2],
    ['empty lines', '\r\n\r\n\na\n\n', 5],
  ])('has the lines that an editor shows: %s', async (_, text, count) => {
    const page = await toPage(writeFiles([file('a', text)]));
    expect(page.match(/<b id/g)).toHaveLength(count);
    const code = page
      .replace(/<br>|<(?!\/?code)[^>]*>/g, '')
      .match(/<code[^>]*>(.*)<\/code>/s)?.[1];
    const exact = code?.replaceAll('&#13;', '\r') ?? '';
    expect(page.includes(' data-unended>') ? exact.replace(/\r\n?$|\n$/, '') : exact).toBe(text);
  });

  it('has no mark after the last line', async () => {
    const page = await toPage('```js title="a.js"\n`a\n```');
    expect(page).toContain('<b id="L1"></b><span class="hljs-string">`a\n</span></code>');
    expect(await toPage('```text title="a"\n```\n')).not.toContain('<b');
  });

  it('has different marks for several files', async () => {
    const page = await toPage(writeFiles([file('a', 'x\n'), file('b', 'y\nz\n')]));
    expect(Array.from(page.matchAll(/<b id="([^"]*)">/g), ([, id]) => id)).toEqual([
      'file1-L1',
      'file2-L1',
      'file2-L2',
    ]);
  });

  it('has no markup of its name', async () => {
    expect(await toPage('```text title="<b onclick=x>&.ts"\na\n```')).toContain(
      'data-file="&lt;b onclick=x&gt;&amp;.ts"',
    );
  });

  it.each([
    ['within a list', '- ```ts title="a.ts"\n  x\n  ```'],
    ['without an end', '```nothing title="a.ts"\nx'],
    ['without a title', '```nothing noeol\nx\n```'],
  ])('is none %s', async (_, markdown) => {
    expect(await toPage(markdown)).not.toContain('data-file');
  });

  it('stays without marks if they would exceed the limit', async () => {
    const markdown = writeFiles([file('a', 'x\n'.repeat(100))]);
    const { html } = await createPage(
      markdown,
      (await convert(markdown, 1_000)) ?? empty,
      1_000,
      () => 0,
    );
    expect(html).toContain('data-file="a"');
    expect(html).not.toContain('<b id');
  });
});
