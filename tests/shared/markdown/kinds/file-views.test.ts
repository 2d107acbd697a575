import { describe, expect, it } from 'vitest';
import { filesToMarkdown } from '../../../../shared/markdown/files/files-to-markdown.ts';
import { addFileView } from '../../../../shared/markdown/kinds/file-views.ts';
import { render } from '../../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const toPage = async (markdown: string) => (await render(markdown, limit)).page;
const ofFile = (name: string, text: string) => toPage(filesToMarkdown([{ name, text }]));

describe('the page of a CSV or JSON file', () => {
  it.each([
    ['sales.csv', 'a;b\n1;2\n', '<table class="csv">', 'table'],
    ['sales.TSV', 'a\tb\n', '<table class="csv">', 'table'],
    ['data.json', '{"a":1}', '<ul class="json">', 'tree'],
    ['log.ndjson', '1\n2\n', '<ul class="json">', 'tree'],
  ])('%s has both views and the lines', async (name, text, view, value) => {
    const page = await ofFile(name, text);
    expect(page).toMatch(/^<div class="file-views"><fieldset class="views">/);
    expect(page).toContain(view);
    expect(page).toContain(`value="${value}" form="None" checked`);
    expect(page).toContain(` data-file="${name}"`);
    expect(page).toContain('<b id="L1"></b>');
  });

  it('leads to the line that can’t be read', async () => {
    expect(await ofFile('a.json', '{\n"a" 1}')).toMatch(
      /^<div class="file-views"><p class="not-shown">Shown as text: <a href="#L2">line 2<\/a> isn’t valid JSON\.<\/p>\n<pre><code /,
    );
  });

  it.each([
    ['of another kind', filesToMarkdown([{ name: 'a.txt', text: '{}' }])],
    ['beside words', `Words\n\n${filesToMarkdown([{ name: 'a.json', text: '{}' }])}`],
    [
      'beside another',
      filesToMarkdown(['a', 'b'].map((name) => ({ name: `${name}.json`, text: '{}' }))),
    ],
    ['that is empty', filesToMarkdown([{ name: 'a.json', text: '' }])],
  ])('has the lines alone of a file %s', async (_, markdown) =>
    expect(await toPage(markdown)).not.toContain('file-views'),
  );

  it('keeps cells and strings as they are: no emoji, no links, no markup', async () => {
    const text = 'a\n:rocket: https://example.com $x$ <img src=x onerror=x>\n';
    expect(await ofFile('a.csv', text)).toContain(
      '<td>:rocket: https://example.com $x$ &lt;img src=x onerror=x&gt;</td>',
    );
  });

  it('stays within the limit of a page', () => {
    const lines = 'x'.repeat(10_000);
    const file = { line: 1, isEnded: true, text: `a\n${'<,>\n'.repeat(1_000)}` };
    const sizeOf = (name: string, text: string, maxBytes: number) =>
      Buffer.byteLength(addFileView(lines, { ...file, name, text }, maxBytes));
    expect(sizeOf('a.csv', file.text, 20_000)).toBeLessThanOrEqual(20_000);
    expect(sizeOf('a.csv', file.text, 10_500)).toBe(10_000);
    expect(sizeOf('a.json', JSON.stringify([...file.text]), 20_000)).toBeLessThanOrEqual(20_000);
  });
});
