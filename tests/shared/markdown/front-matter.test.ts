import { describe, expect, it } from 'vitest';
import { render } from '../../../shared/markdown/markdown.ts';

const limit = { field: 'content', cpuMs: 3_000 };
const read = async (markdown: string) => (await render(markdown, limit)).page;

/** A table without its line endings. */
const squeeze = (html: string): string => html.replaceAll('\n', '');

describe('front matter', () => {
  it('is a table on pages: its keys above one row of values as they were written', async () => {
    const { html, page } = await render(
      '---\ntitle: A <b>\nversion: 1.10\non: ~\n---\n\n# A',
      limit,
    );
    expect(html.trim()).toBe('<h1>A</h1>');
    expect(squeeze(page)).toMatch(
      /^<div class="front-matter" data-title="A &lt;b&gt;"><table><thead><tr><th>title<\/th><th>version<\/th><th>on<\/th><\/tr><\/thead><tbody><tr><td>A &lt;b&gt;<\/td><td>1.10<\/td><td>~<\/td><\/tr><\/tbody><\/table><\/div><h1 id="a">/,
    );
  });

  it('has tables in it for lists and mappings', async () => {
    const page = await read('---\ntags: [a, b]\nby:\n  name: Ann\n---\n\nb');
    const list = '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>';
    const mapping =
      '<table><thead><tr><th>name</th></tr></thead><tbody><tr><td>Ann</td></tr></tbody></table>';
    expect(squeeze(page)).toContain(`<td>${list}</td><td>${mapping}</td>`);
  });

  it.each([
    ['no mapping', '---\n- a\n---', 'yaml'],
    ['a text', '---\nWords <b>\n---', 'yaml'],
    ['no YAML', '---\na: b: c\n---', 'yaml'],
    ['a key twice', '---\na: 1\na: 2\n---', 'yaml'],
    ['TOML', '+++\ntitle = "A"\n+++', 'toml'],
    ['nested deeply', `---\na: ${'['.repeat(40)}${']'.repeat(40)}\n---`, 'yaml'],
    ['nested more deeply', `---\na: ${'['.repeat(7_000)}${']'.repeat(7_000)}\n---`, 'yaml'],
    ['long', `---\na: ${'x'.repeat(20_000)}\n---`, 'yaml'],
    [
      'a bomb of aliases',
      `---\na0: &a0 [x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`).join('\n')}\n---`,
      'yaml',
    ],
  ])('is code if it is %s', async (_, source, language) => {
    const page = await read(`${source}\n\nb`);
    expect(page).toMatch(
      new RegExp(`^<pre><code class="(?:hljs )?language-${language}"[^>]*>(?:---|\\+\\+\\+|<span)`),
    );
    expect(page.endsWith('<p>b</p>')).toBe(true);
  });

  it('isn’t shown if it is empty, or further down', async () => {
    expect((await read('---\n---\n\nb')).trim()).toBe('<p>b</p>');
    expect(await read('a\n\n---\nb: c\n---')).not.toContain('front-matter');
  });
});
